import { useEffect, useRef } from 'react'

/** Takes the focus to the first field that is marked as wrong, each time that others are. */
export function useErrorFocus(errors: unknown) {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the news of other errors that moves the focus.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [errors])
  return form
}
