import { useLayoutEffect } from 'react'

/**
 * Gives the focus back to what had it before a dialog opened. The kit does so only for a dialog that stays mounted while it is
 * closed.
 */
export function useFocusReturn(isOpen = true): void {
  useLayoutEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    return () => {
      // The next dialog may take the focus first.
      requestAnimationFrame(() => {
        if (!isFocusLost()) return
        if (before instanceof HTMLElement) before.focus({ preventScroll: true })
        keepFocus()
      })
    }
  }, [isOpen])
}

/** When the element that opened a dialog is gone, the dialog below or the page's content gets the focus. */
export function keepFocus(): void {
  if (!isFocusLost()) return
  const below = [...document.querySelectorAll<HTMLElement>('[role=dialog]')].at(-1) ?? document.querySelector('main')
  below?.focus({ preventScroll: true })
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
