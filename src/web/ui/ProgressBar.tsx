import { useIsFetching, useIsMutating } from '@tanstack/react-query'

/** Runs along the top while any request is in flight. It fades in by style, so that quick answers do not flicker. */
export function ProgressBar() {
  const busy = useIsFetching() + useIsMutating() > 0
  return busy ? <div className="progress" role="progressbar" aria-label="Loading" /> : null
}
