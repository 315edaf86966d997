import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Moves the focus to the page's content when another page opens, so that a screen reader goes on there. Not at the first. */
export function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
