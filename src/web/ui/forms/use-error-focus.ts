import { useEffect, useRef } from 'react'

/** Moves the focus to the first invalid field whenever the errors change. */
export function useErrorFocus(errors: unknown) {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other errors are what moves the focus.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [errors])
  return form
}
