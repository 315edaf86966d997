import { useEffectEvent, useLayoutEffect, useState } from 'react'

/** The dialogs and bars that use this and are open, in the order in which they opened. */
const openDialogs: symbol[] = []

/** The entry of a menu that had the focus last, also if it is no longer in the page; null once the focus went elsewhere. */
let lastEntry: Element | null = null
document.addEventListener('focusin', ({ target }) => {
  lastEntry = target instanceof Element && target.closest('[role=menu]') ? target : null
})

/**
 * Returns the focus to the element that had it before a dialog opened. The kit does so only for a dialog that stays mounted while
 * closed, and only if the element still exists. `findTarget` may name another element, for a dialog that moved on while it was open.
 * The same goes for a bar of actions that is there only while something is selected.
 */
export function useFocusReturn(isOpen = true, findTarget: () => HTMLElement | null = () => null): void {
  const [key] = useState(() => Symbol('dialog'))
  const find = useEffectEvent(findTarget)
  useLayoutEffect(() => {
    if (!isOpen) return
    const before = findOpener()
    // What was pressed may go away with what the dialog did; then the row around it has the focus.
    const row = before?.closest('li[tabindex]')
    openDialogs.push(key)
    return () => {
      const isTopmost = openDialogs.at(-1) === key
      openDialogs.splice(openDialogs.indexOf(key), 1)
      // A dialog that is fading out may still have the focus, which would be lost with it. A dialog above it keeps the focus.
      const closing = (isTopmost && document.activeElement?.closest('[role=dialog]')) || null
      // The next dialog may take the focus first.
      requestAnimationFrame(() => {
        if (!isFocusLost(closing)) return
        const target = find() ?? (before?.isConnected ? before : row)
        if (target instanceof HTMLElement) target.focus({ preventScroll: true })
        if (document.activeElement !== target) keepFocus(closing)
      })
    }
  }, [isOpen, key])
}

/** What a dialog returns the focus to. The entry of a menu is gone by then, and maybe by now, but not the button that opened the menu. */
function findOpener(): Element | null {
  const { activeElement, body } = document
  const focused = activeElement === body ? lastEntry : activeElement
  const menuButton = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return (menuButton && document.getElementById(menuButton)) || focused
}

/** If the focus would be lost, gives it to the open dialog below or to the page's content. `closing` is a dialog that fades out. */
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
