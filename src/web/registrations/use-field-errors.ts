import { type FocusEvent, useCallback, useEffect, useRef, useState } from 'react'
import { type AskedFields, errorsIn, type FieldErrors, readValues } from './registration-values.ts'

/** The reasons why a try failed. */
export interface Failure {
  errors: FieldErrors
  /** Messages that belong to no field. */
  messages: string[]
}

const noFailure: Failure = { errors: {}, messages: [] }

/** The errors of a visitor's form: shown when a field is left or a try fails, and removed as soon as the field is valid. */
export function useFieldErrors(asked: AskedFields, initial: Failure = noFailure) {
  const summary = useRef<HTMLDivElement>(null)
  const [failure, setFailure] = useState(initial)
  const { errors } = failure

  // The summary takes the focus when a try failed, for screen readers and keyboard users.
  const [failures, setFailures] = useState(0)
  useEffect(() => {
    if (failures > 0) summary.current?.focus()
  }, [failures])
  const fail = (next: Failure) => {
    setFailure(next)
    setFailures((count) => count + 1)
  }

  const errorNow = (form: HTMLFormElement, name: string) => errorsIn(readValues(form, asked.questions), asked)[name]
  const setError = useCallback(
    (name: string, message: string | undefined) =>
      setFailure(({ errors: { [name]: _, ...others }, messages }) => ({
        errors: message === undefined ? others : { ...others, [name]: message },
        messages,
      })),
    [],
  )

  /** Validates a field when it is left, not at every key press. */
  function validateLeft({ target, currentTarget }: FocusEvent<HTMLFormElement>): void {
    const name = nameOf(target)
    const message = name === '' ? undefined : errorNow(currentTarget, name)
    if (message !== undefined) setError(name, message)
  }

  /**
   * Removes an error as soon as the field is valid, during typing: if it disappeared when the field is left for the button, the button
   * would move away from under the finger. To be called after React has updated the fields that depend on this one.
   */
  function clearCorrected(form: HTMLFormElement, target: EventTarget): void {
    const name = nameOf(target)
    if (errors[name] !== undefined && errorNow(form, name) === undefined) setError(name, undefined)
  }

  return {
    failure,
    hasFailed: failures > 0 || initial !== noFailure,
    summary,
    fail,
    reset: () => setFailure(noFailure),
    /** Removes the messages that belong to no field, once what they are about has changed. */
    clearMessages: () => setFailure(({ errors }) => ({ errors, messages: [] })),
    setError,
    validateLeft,
    clearCorrected,
  }
}

/** The name under which a field's value is read; the phone's visible field is not the one that is read. */
function nameOf(target: EventTarget): string {
  if (!(target instanceof HTMLElement)) return ''
  return target.getAttribute('name') ?? target.dataset.name ?? ''
}
