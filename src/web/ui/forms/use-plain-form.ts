import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { type FieldError, Refusal } from '../../../contract/errors.ts'
import { wrongFields } from '../../../contract/wrong-fields.ts'
import { useErrorFocus } from './use-error-focus.ts'

/**
 * A small form of plain fields. Its input is validated by the call's own rules; `send` may throw a Refusal. While it is being sent, and
 * after that has succeeded, it is not sent again.
 */
export function usePlainForm<T>(schema: z.ZodMiniType<T>, send: (values: T) => Promise<void>) {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const form = useErrorFocus(errors)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isSending) return
    const values = Object.fromEntries(new FormData(event.currentTarget))
    setProblem(null)
    const read = z.safeParse(schema, values)
    if (!read.success) return setErrors(byName(wrongFields(read.error.issues)))
    setErrors({})
    setSending(true)
    try {
      await send(read.data)
    } catch (error) {
      setSending(false)
      if (!(error instanceof Refusal)) throw error
      const placed = error.fields.filter(({ path }) => path in values)
      setErrors(byName(placed))
      if (placed.length === 0 || placed.length < error.fields.length) setProblem(error.message)
    }
  }
  return { form, errors, problem, isSending, onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event) }
}

/** The first error of each field. */
function byName(found: readonly FieldError[]): Record<string, string> {
  return Object.fromEntries([...found].reverse().map(({ path, msg }) => [path, msg()]))
}
