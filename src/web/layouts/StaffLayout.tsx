import '@mantine/core/styles.css'
import { MantineProvider } from '@mantine/core'
import { setNonce } from 'get-nonce'
import { Outlet } from 'react-router'
import { resolver, theme } from './theme.ts'

// The scroll lock behind a dialog writes a style too.
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
