import '@mantine/core/styles.css'
import { MantineProvider } from '@mantine/core'
import { setNonce } from 'get-nonce'
import type { ReactNode } from 'react'
import { resolver, theme } from './theme.ts'

// The scroll lock behind a dialog writes a style too.
setNonce(readNonce())

/** The interface kit for what is in it. Visitors' pages never load it; the dashboard loads it when a part of it is used. */
export function Kit({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolver} getStyleNonce={readNonce} forceColorScheme="light">
      {children}
    </MantineProvider>
  )
}

/** The page's nonce, by which the content security policy lets Mantine write its styles. */
function readNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}
