import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Calls `onOpen` at the start if the element was opened before script took over, which React does not notice, or if a link led to it by its id. */
export function useOpenedBefore(details: RefObject<HTMLDetailsElement | null>, onOpen: () => void): void {
  const look = useEffectEvent(() => {
    const { current } = details
    if (!current) return
    const isTarget = current.id !== '' && window.location.hash === `#${current.id}`
    if (current.open || isTarget) onOpen()
    // The keyboard goes on where the link led to.
    if (isTarget) current.querySelector('summary')?.focus()
  })
  useEffect(() => look(), [])
}
