import { useLayoutEffect } from 'react'

/**
 * Gives the focus back to what had it before a dialog opened. The kit does so only for a dialog that is in the page while it is
 * closed, not for one that comes and goes as a whole.
 */
export function useFocusReturn(isOpen = true): void {
  useLayoutEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    return () => {
      // What opens next may take the focus first.
      requestAnimationFrame(() => {
        if (!isFocusLost()) return
        if (before instanceof HTMLElement) before.focus({ preventScroll: true })
        keepFocus()
      })
    }
  }, [isOpen])
}

/** What opened a dialog may have gone with what it did: then the dialog below or the page's content has the focus, not nothing. */
export function keepFocus(): void {
  if (!isFocusLost()) return
  const below = [...document.querySelectorAll<HTMLElement>('[role=dialog]')].at(-1) ?? document.querySelector('main')
  below?.focus({ preventScroll: true })
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
