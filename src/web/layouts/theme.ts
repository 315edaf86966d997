import { createTheme, type MantineColorsTuple } from '@mantine/core'
import { breakpoints } from '../ui/breakpoints.ts'

/** Shades of the tokens; `styles.test.ts` checks that they agree. */
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

/** How the interface kit looks and behaves here. */
export const theme = createTheme({
  colors: { primary, red },
  primaryColor: 'primary',
  primaryShade: 5,
  fontFamily: 'Poppins, system-ui, sans-serif',
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
  breakpoints: Object.fromEntries(Object.entries(breakpoints).map(([name, px]) => [name, `${px}px`])),
})

/** Mantine's own greys and red are too faint; these are the colours of `ui/tokens.css`. */
export const resolver = () => ({
  variables: {},
  light: {
    '--mantine-color-error': 'var(--bad)',
    '--mantine-color-dimmed': 'var(--muted)',
    '--mantine-color-placeholder': 'var(--placeholder)',
    '--mantine-color-gray-4': 'var(--field-line)',
    '--mantine-color-default-border': 'var(--field-line)',
  },
  dark: {},
})
