import { useLayoutEffect, useRef } from 'react'

/** Moves the focus to the page's content and scrolls to the top when another target opens, but not for the first page. */
export function useFocusOnNavigation(target: string, scroll: () => void = toTop) {
  const main = useRef<HTMLElement>(null)
  const shown = useRef(target)
  // Before the next frame, so that its scroll events belong to the page that opens.
  useLayoutEffect(() => {
    if (shown.current === target) return
    shown.current = target
    scroll()
    main.current?.focus({ preventScroll: true })
  }, [target, scroll])
  return main
}

function toTop(): void {
  window.scrollTo(0, 0)
}
