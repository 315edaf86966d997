import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether the page is hydrated: false on the server and during hydration. */
export function useIsRunning(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
