import { type FormEvent, useState } from 'react'
import { Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/events.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { useCall } from '../api/call.ts'
import { Field } from '../ui/forms/Field.tsx'
import styles from './FindTicket.module.css'

/** For visitors who have registered and lost the mail. The answer does not tell whether the address is known. */
export function FindTicket({ event }: { event: Event }) {
  const find = useCall(registrationApi.findTicket)
  const [error, setError] = useState<string>()
  async function submit(submitted: FormEvent<HTMLFormElement>): Promise<void> {
    submitted.preventDefault()
    // Each one counts towards what one address may ask for.
    if (find.isPending) return
    const email = String(new FormData(submitted.currentTarget).get('registered-email') ?? '')
    setError(undefined)
    try {
      await find.mutateAsync({ payload: { eventId: event.id, email } })
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure
      setError(failure.fields[0]?.msg ?? failure.message)
    }
  }
  return (
    <details className={styles.findTicket}>
      <summary>Already registered? Where is my ticket?</summary>
      <form onSubmit={(submitted) => void submit(submitted)} noValidate>
        <Field
          label="Mail address you registered with"
          name="registered-email"
          type="email"
          inputMode="email"
          autoComplete="email"
          error={error}
        />
        <button type="submit" className="button quiet" aria-disabled={find.isPending}>
          Send it again
        </button>
        {/* Stays, unlike the notice, until another address is tried. */}
        <p role="status">
          {find.isSuccess &&
            'Please look into your mail: if the address is registered, your ticket is there in a minute.'}
        </p>
      </form>
    </details>
  )
}
