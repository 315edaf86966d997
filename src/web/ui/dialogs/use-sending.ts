import { useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { type FieldError, Refusal } from '../../../contract/errors.ts'

interface Options<V extends FieldValues> {
  form: UseFormReturn<V>
  /** The field of an error: its path in the call, or in the form. */
  fieldAt: (path: string) => Path<V>
  /** The fields in the order of the form, so that the first wrong one gets the focus. */
  order?: readonly Path<V>[]
}

/** What was wrong when the form of a dialog was sent last. */
export interface Sent {
  /** A refusal that is about no field. */
  problem: string | null
  isConflict: boolean
  invalidCount: number
}

const nothing: Sent = { problem: null, isConflict: false, invalidCount: 0 }

/** Sends the form of a dialog, and shows a refusal at its fields or, by what it returns as `sent`, above them. */
export function useSending<V extends FieldValues>({ form, fieldAt, order = [] }: Options<V>) {
  const [sent, setSent] = useState(nothing)
  function show(found: readonly FieldError[], rest: Partial<Sent> = {}): void {
    const fields = [...new Map(found.map(({ path, msg }) => [fieldAt(path), msg()]))].sort(
      ([one], [other]) => order.indexOf(one) - order.indexOf(other),
    )
    setSent({ ...nothing, ...rest, invalidCount: fields.length })
    for (const [index, [field, message]] of fields.entries())
      form.setError(field, { message }, { shouldFocus: index === 0 })
  }
  async function send(work: () => Promise<void>): Promise<void> {
    setSent(nothing)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'EDIT_CONFLICT') setSent({ ...nothing, isConflict: true })
      else show(error.fields, { problem: error.fields.length === 0 ? error.message : null })
    }
  }
  return { sent, show, send }
}
