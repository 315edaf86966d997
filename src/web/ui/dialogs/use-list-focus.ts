import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'
import { keepFocus } from './use-focus-return.ts'

interface ListFocus<T extends HTMLElement> {
  ref: RefObject<T | null>
  tabIndex: -1
  onFocus: (event: FocusEvent<T>) => void
  onBlur: (event: FocusEvent<T>) => void
}

/**
 * The properties of a list whose buttons go away once they were pressed. The focus then goes to the row, which needs `tabIndex={-1}`, or to
 * the list when the row has gone too, so that the keyboard goes on from there.
 */
export function useListFocus<T extends HTMLElement>(): ListFocus<T> {
  const ref = useRef<T>(null)
  const last = useRef<{ pressed: HTMLElement; row: HTMLElement | null } | null>(null)
  useEffect(() => {
    const { pressed, row } = last.current ?? {}
    if (!pressed || pressed.isConnected) return
    last.current = null
    if (document.activeElement !== document.body) return
    const target = row?.isConnected ? row : ref.current
    target?.focus({ preventScroll: true })
    keepFocus()
  })
  return {
    ref,
    tabIndex: -1,
    onFocus: ({ target }) => {
      last.current = { pressed: target, row: target.closest('li') }
    },
    onBlur: ({ target }) => {
      // The user moved the focus, unless its element was disabled or removed.
      if (target.isConnected && !target.matches(':disabled')) last.current = null
    },
  }
}
