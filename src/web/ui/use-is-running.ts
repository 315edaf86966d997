import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether script runs on the page by now: false in what the server renders and while the browser takes that over. */
export function useIsRunning(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
