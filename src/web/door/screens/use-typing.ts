import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'

/** Whoever has just gone into the field is about to type: the camera waits so long, in ms. */
const ABOUT_TO_TYPE_MS = 5_000

/** What stands in the search field, and whether the camera waits for whoever types there. */
export interface Typing {
  text: string
  setText: (text: string) => void
  isTyping: boolean
  /** The field has the focus, or has it no more. */
  begin: () => void
  end: () => void
}

/** Follows the search field: no code before the camera may cut a name off. */
export function useTyping(): Typing {
  const [text, setText] = useState('')
  const [isAbout, setAbout] = useState(false)
  useEffect(() => {
    if (!isAbout) return
    const timer = setTimeout(() => setAbout(false), ABOUT_TO_TYPE_MS)
    return () => clearTimeout(timer)
  }, [isAbout])
  const begin = useCallback(() => setAbout(!isGivenBack), [])
  const end = useCallback(() => setAbout(false), [])
  return useMemo(() => ({ text, setText, isTyping: isAbout || text !== '', begin, end }), [text, isAbout, begin, end])
}

/** The focus is being given back to where it was, which says nothing of what its owner is about to do. */
let isGivenBack = false

/**
 * While something covers the page nothing below it has the focus; afterwards it goes back to where it was, or to `field` when that is
 * gone. Whoever touched nothing gets none. Answers the handlers for what is covered.
 */
export function useFocusBack(isCovered: boolean, field: RefObject<HTMLElement | null>) {
  const last = useRef<HTMLElement | null>(null)
  const covered = useRef(isCovered)
  covered.current = isCovered
  useEffect(() => {
    if (isCovered || !last.current || (document.activeElement ?? document.body) !== document.body) return
    isGivenBack = true
    last.current.focus({ preventScroll: true })
    if (document.activeElement === document.body) field.current?.focus({ preventScroll: true })
    isGivenBack = false
  }, [isCovered, field])
  const onFocus = useCallback(({ target }: { target: EventTarget }) => {
    if (target instanceof HTMLElement) last.current = target
  }, [])
  const onBlur = useCallback(({ target }: { target: EventTarget }) => {
    // Somebody went elsewhere by themselves, unless what had the focus was covered, put out of use or taken away.
    if (!covered.current && target instanceof HTMLElement && target.isConnected && !target.matches(':disabled'))
      last.current = null
  }, [])
  return { onFocus, onBlur }
}
