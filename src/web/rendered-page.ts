import { createContext, useContext, useEffect } from 'react'
import type { PageToRender } from '../contract/page-renderer.ts'
import type { Language } from '../texts/language.ts'

/** How a public page was rendered, and how it is updated. */
export interface RenderedPage extends Pick<PageToRender, 'submitted' | 'stamp'> {
  /** The page's path with its query, as the server knew it. */
  address: string
  /** Reads the page's data again. Fails without an answer, and the page stays as it is. */
  refresh: () => Promise<void>
  /** Changes the language of a page that this device has stored. The server does it for all others. */
  chooseLanguage?: (language: Language) => Promise<void>
  /** Called when the server-rendered page is hydrated. */
  onRunning?: () => void
}

const Rendered = createContext<RenderedPage>({ submitted: null, stamp: '', address: '/', refresh: async () => {} })

/** Provides to the page's components how it was rendered. */
export const RenderedPageProvider = Rendered.Provider

/** How the page was rendered. */
export function useRenderedPage(): RenderedPage {
  return useContext(Rendered)
}

/** Rendered beside the page; reports when it is hydrated. */
export function TellRunning() {
  const { onRunning } = useRenderedPage()
  useEffect(() => onRunning?.(), [onRunning])
  return null
}
