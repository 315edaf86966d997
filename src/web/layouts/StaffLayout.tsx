import '@mantine/core/styles.css'
import { createTheme, type MantineColorsTuple, MantineProvider } from '@mantine/core'
import { setNonce } from 'get-nonce'
import { Outlet } from 'react-router'
import { breakpoints } from '../ui/breakpoints.ts'

const primary: MantineColorsTuple = [
  '#f0f0fc',
  '#dedef5',
  '#babaea',
  '#9494df',
  '#7676d6',
  '#6464d3',
  '#5a5ad0',
  '#4a4ab8',
  '#4141a6',
  '#363692',
]

/** Mantine's own red is too faint for text on white (WCAG AA). */
const red: MantineColorsTuple = [
  '#fdf1f0',
  '#fbdedb',
  '#f5b5b0',
  '#ee8a82',
  '#d9534a',
  '#b3261e',
  '#b3261e',
  '#a3211a',
  '#8f1c16',
  '#7d1a14',
]

const theme = createTheme({
  colors: { primary, red },
  primaryColor: 'primary',
  primaryShade: 5,
  fontFamily: 'Poppins, system-ui, sans-serif',
  defaultRadius: 'md',
  respectReducedMotion: true,
  breakpoints: Object.fromEntries(Object.entries(breakpoints).map(([name, px]) => [name, `${px}px`])),
})

/** Its grey too. */
const resolver = () => ({
  variables: {},
  light: {
    '--mantine-color-error': '#b3261e',
    '--mantine-color-dimmed': '#5a5a72',
    '--mantine-color-placeholder': '#6b6b85',
    // The borders of fields, boxes and plain buttons: 3:1 on white (WCAG 1.4.11), the same as on visitors' pages.
    '--mantine-color-gray-4': '#8484a0',
    '--mantine-color-default-border': '#8484a0',
  },
  dark: {},
})

// What locks the page behind a dialog writes a style too.
setNonce(readNonce())

/** What staff's pages share: the interface kit, which visitors need not load. */
export function StaffLayout() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolver} getStyleNonce={readNonce} forceColorScheme="light">
      <Outlet />
    </MantineProvider>
  )
}

/** The page's nonce, by which the content security policy lets Mantine write its styles. */
function readNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}
