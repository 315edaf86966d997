import { useLayoutEffect } from 'react'

/**
 * Gives the focus back to what had it before a dialog opened. The kit does so only for a dialog that stays mounted while it is
 * closed, and only to an element that is still there.
 */
export function useFocusReturn(isOpen = true): void {
  useLayoutEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    return () => {
      // While the dialog fades out it may still hold the focus, which would be lost with it.
      const closing = document.activeElement?.closest('[role=dialog]') ?? null
      // The next dialog may take the focus first.
      requestAnimationFrame(() => {
        if (!isFocusLost(closing)) return
        if (before instanceof HTMLElement) before.focus({ preventScroll: true })
        keepFocus(closing)
      })
    }
  }, [isOpen])
}

/** When the element that opened a dialog is gone, the dialog below or the page's content gets the focus. `closing` is a dialog that fades out. */
export function keepFocus(closing: Element | null = null): void {
  if (!isFocusLost(closing)) return
  const open = [...document.querySelectorAll<HTMLElement>('[role=dialog]')].filter((dialog) => dialog !== closing)
  const below = open.at(-1) ?? document.querySelector('main')
  below?.focus({ preventScroll: true })
}

function isFocusLost(closing: Element | null): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || (closing?.contains(activeElement) ?? false)
}
