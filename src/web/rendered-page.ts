import { createContext, useContext, useEffect } from 'react'
import type { PageToRender } from '../contract/page-renderer.ts'

/** How a public page was rendered, and how it changes. */
export interface RenderedPage extends Pick<PageToRender, 'submitted' | 'stamp'> {
  /** Reads anew what the page shows. Fails without an answer, and the page stays as it is. */
  refresh: () => Promise<void>
  /** Called when script has taken over what the server rendered. */
  onRunning?: () => void
}

const Rendered = createContext<RenderedPage>({ submitted: null, stamp: '', refresh: async () => {} })

/** Tells the components of the page how it was rendered. */
export const RenderedPageProvider = Rendered.Provider

/** How the page was rendered. */
export function useRenderedPage(): RenderedPage {
  return useContext(Rendered)
}

/** Stands beside the page and tells when script has taken it over. */
export function TellRunning() {
  const { onRunning } = useRenderedPage()
  useEffect(() => onRunning?.(), [onRunning])
  return null
}
