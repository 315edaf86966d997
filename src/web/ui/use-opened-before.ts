import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Calls `onOpen` at the start if the element was opened before script took over, which React does not notice. */
export function useOpenedBefore(details: RefObject<HTMLDetailsElement | null>, onOpen: () => void): void {
  const look = useEffectEvent(() => {
    if (details.current?.open) onOpen()
  })
  useEffect(() => look(), [])
}
