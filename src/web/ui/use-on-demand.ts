import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import * as texts from '../../texts/generated/staff.ts'
import { notify } from './notices/notify.ts'

/**
 * A component that is loaded when it is first wanted; null until it has loaded. If it cannot be loaded, an error is shown and `onFailure`
 * is called; loading is tried again when it is next wanted. `load` must be the same function at each render.
 */
export function useOnDemand<Props>(
  load: () => Promise<ComponentType<Props>>,
  isWanted: boolean,
  onFailure: () => void,
): ComponentType<Props> | null {
  // Wrapped in an object, because React calls a function that is passed to a state setter.
  const [loaded, setLoaded] = useState<{ Part: ComponentType<Props> } | null>(null)
  const fail = useEffectEvent(() => {
    notify('error', texts.partNotLoaded())
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
