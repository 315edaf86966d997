import { type FormEvent, useState } from 'react'
import { Refusal } from '../../../contract/errors.ts'
import type { Message } from '../../../texts/language.ts'

/**
 * The sending of a small form of one or two fields, once at a time. When `send` fails, `error` says why: the first field's reason, else the
 * refusal's sentence, else `failed`.
 */
export function useSmallForm(send: () => Promise<void>, failed: Message) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  async function submit(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    try {
      await send()
      setError(undefined)
    } catch (failure) {
      setError(failure instanceof Refusal ? (failure.fields[0]?.msg() ?? failure.message) : failed())
    } finally {
      setBusy(false)
    }
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React events of a dialog bubble to the form that contains it.
    event.stopPropagation()
    void submit()
  }
  return { isBusy, error, onSubmit }
}
