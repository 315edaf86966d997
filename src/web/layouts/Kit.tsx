import '@mantine/core/styles.css'
import './Kit.css'
import { DirectionProvider, MantineProvider } from '@mantine/core'
import { setNonce } from 'get-nonce'
import type { ReactNode } from 'react'
import { resolver, theme } from './theme.ts'

// The scroll lock of dialogs adds a style element too, so it also needs the nonce.
setNonce(readNonce())

/** Provides the interface kit to its children. Visitors' pages never load it; the dashboard loads it when a part of it is used. */
export function Kit({ children }: { children: ReactNode }) {
  return (
    <DirectionProvider>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolver}
        getStyleNonce={readNonce}
        defaultColorScheme="auto"
      >
        {children}
      </MantineProvider>
    </DirectionProvider>
  )
}

/** The page's nonce, with which the content security policy allows Mantine's styles. */
function readNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}
