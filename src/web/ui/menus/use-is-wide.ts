import { useSyncExternalStore } from 'react'
import { breakpoints } from '../breakpoints.ts'

const wide = window.matchMedia(`(min-width: ${breakpoints.lg}px)`)

/** Whether the top bar is a column beside the page; see MainLayout.css. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches)
}

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}
