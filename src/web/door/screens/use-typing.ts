import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'

/** The camera waits this long, in ms, after the field got the focus or was emptied, because staff are about to type. */
const ABOUT_TO_TYPE_MS = 5_000

/** The text of the search field, and whether the camera waits for somebody who types there. */
export interface Typing {
  text: string
  setText: (text: string) => void
  isTyping: boolean
  /** Whether somebody searches: they are in the field, or have typed something. */
  isSearching: boolean
  /** Called when the field gets the focus or is emptied by hand, and when it loses the focus. */
  begin: () => void
  end: () => void
}

/** Tracks the search field, so that no code that the camera sees interrupts typing. */
export function useTyping(): Typing {
  const [text, setText] = useState('')
  // How often typing has begun, 0 while it has not: each new number starts the full waiting time again.
  const [begun, setBegun] = useState(0)
  const isAboutToType = begun > 0
  useEffect(() => {
    if (begun === 0) return
    const timer = setTimeout(() => setBegun(0), ABOUT_TO_TYPE_MS)
    return () => clearTimeout(timer)
  }, [begun])
  const [isInField, setInField] = useState(false)
  const begin = useCallback(() => {
    const isByHand = !isRestoring
    setBegun((count) => (isByHand ? count + 1 : 0))
    setInField(isByHand)
  }, [])
  const end = useCallback(() => {
    setBegun(0)
    setInField(false)
  }, [])
  return useMemo(
    () => ({
      text,
      setText,
      isTyping: isAboutToType || text !== '',
      isSearching: isInField || text !== '',
      begin,
      end,
    }),
    [text, isAboutToType, isInField, begin, end],
  )
}

/** Whether the focus is being restored by this page, so that it does not mean that somebody is about to type. */
let isRestoring = false

/**
 * Restores the focus after something covered the page: to where it was, or to `field` if that is gone. If nothing had the focus,
 * nothing gets it. Returns the handlers for the covered element.
 */
export function useFocusRestore(isCovered: boolean, field: RefObject<HTMLElement | null>) {
  const last = useRef<HTMLElement | null>(null)
  const covered = useRef(isCovered)
  covered.current = isCovered
  useEffect(() => {
    if (isCovered || !last.current || (document.activeElement ?? document.body) !== document.body) return
    isRestoring = true
    last.current.focus({ preventScroll: true })
    if (document.activeElement === document.body) field.current?.focus({ preventScroll: true })
    isRestoring = false
  }, [isCovered, field])
  const onFocus = useCallback(({ target }: { target: EventTarget }) => {
    if (target instanceof HTMLElement) last.current = target
  }, [])
  const onBlur = useCallback(({ target }: { target: EventTarget }) => {
    // The user moved the focus, unless its element was covered, disabled or removed.
    if (!covered.current && target instanceof HTMLElement && target.isConnected && !target.matches(':disabled'))
      last.current = null
  }, [])
  return { onFocus, onBlur }
}
