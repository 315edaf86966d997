import { useEffect, useRef } from 'react'

/** Moves to the top and the focus to the page's content when another page opens. Not at the first. */
export function useFocusOnNavigation(path: string) {
  const main = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}
