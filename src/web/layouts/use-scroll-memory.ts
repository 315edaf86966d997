import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** How long to wait for the page to grow to its earlier height, in ms. */
const PATIENCE_MS = 10_000

/** The scroll position of each history entry. */
const places = new Map<string, number>()

/** Ends the wait for a page to grow. */
let stopWaiting = () => {}

/** Returns how to scroll when another page opens: to the top, or back to where it was left. */
export function useScrollMemory(): () => void {
  const { key } = useLocation()
  const type = useNavigationType()
  const now = useRef({ key, type })
  /** Until the next frame after a navigation, scroll events come from the page that was left. */
  const isSettled = useRef(true)
  useLayoutEffect(() => {
    now.current = { key, type }
    isSettled.current = false
    const frame = requestAnimationFrame(() => {
      isSettled.current = true
    })
    return () => cancelAnimationFrame(frame)
  }, [key, type])
  useEffect(() => {
    // The browser's own restoration would scroll the page that is being left.
    window.history.scrollRestoration = 'manual'
    const note = () => {
      if (isSettled.current) places.set(now.current.key, window.scrollY)
    }
    window.addEventListener('scroll', note, { passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [])
  return useCallback(() => {
    // The wait was for the previous page.
    stopWaiting()
    const place = now.current.type === 'POP' ? (places.get(now.current.key) ?? 0) : 0
    window.scrollTo(0, place)
    if (window.scrollY < place) scrollWhenGrown(place)
  }, [])
}

/** Scrolls again as the page grows, until it is tall enough. Scrolling by the user stops it. */
function scrollWhenGrown(place: number): void {
  const grown = new ResizeObserver(() => {
    window.scrollTo(0, place)
    if (window.scrollY >= place) stop()
  })
  const timer = setTimeout(stop, PATIENCE_MS)
  function stop(): void {
    clearTimeout(timer)
    grown.disconnect()
    for (const name of ['wheel', 'touchmove', 'keydown']) window.removeEventListener(name, stop)
  }
  for (const name of ['wheel', 'touchmove', 'keydown']) window.addEventListener(name, stop, { passive: true })
  grown.observe(document.body)
  stopWaiting = stop
}
