import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { Refusal } from '../../../contract/errors.ts'

/**
 * Shows a refusal's field errors beside their fields; `prefix` is the form's path in the call's input. Returns the messages
 * that have no field in the form.
 */
export function showFieldErrors<V extends FieldValues>(form: UseFormReturn<V>, error: unknown, prefix = ''): string[] {
  if (!(error instanceof Refusal)) throw error
  const names = new Set(Object.keys(form.getValues()))
  const unplaced: string[] = []
  let isFirst = true
  for (const { path, msg } of error.fields) {
    const name = path.startsWith(prefix) ? path.slice(prefix.length) : path
    // The name is one of the form's fields.
    if (names.has(name)) {
      form.setError(name as Path<V>, { message: msg() }, { shouldFocus: isFirst })
      isFirst = false
    } else unplaced.push(msg())
  }
  return unplaced
}
