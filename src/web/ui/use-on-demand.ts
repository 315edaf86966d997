import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { notify } from './notices/notify.ts'

/**
 * A component that is loaded when it is wanted for the first time; null until it is there. When it cannot be loaded, the person is told and
 * `onFailure` is called; it is tried again when it is wanted anew. `load` must be the same function at each render.
 */
export function useOnDemand<Props>(
  load: () => Promise<ComponentType<Props>>,
  isWanted: boolean,
  onFailure: () => void,
): ComponentType<Props> | null {
  // In an object, since React calls a function that it is to store.
  const [loaded, setLoaded] = useState<{ Part: ComponentType<Props> } | null>(null)
  const fail = useEffectEvent(() => {
    notify('error', 'This part of the page could not be loaded. Check your connection and try again.')
    onFailure()
  })
  const isNeeded = isWanted && loaded === null
  useEffect(() => {
    if (!isNeeded) return
    let isHere = true
    load().then(
      (Part) => isHere && setLoaded({ Part }),
      () => isHere && fail(),
    )
    return () => {
      isHere = false
    }
  }, [isNeeded, load])
  return loaded?.Part ?? null
}
