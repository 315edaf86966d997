import { type FormEvent, useState } from 'react'
import { Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import { registrationApi } from '../../contract/registrations.ts'
import * as texts from '../../texts/generated/registration.ts'
import { useSend } from '../api/use-send.ts'
import * as paths from '../paths.ts'
import { useRenderedPage } from '../rendered-page.ts'
import { Field } from '../ui/forms/Field.tsx'
import styles from './FindTicket.module.css'

/** The name of the form's one field, by which the server knows the form too. */
export const REGISTERED_EMAIL = 'registered-email'

/** For visitors who have registered and lost the mail. The answer does not reveal whether the address is known. */
export function FindTicket({ event }: { event: Event }) {
  const find = useSend(registrationApi.findTicket)
  const { submitted } = useRenderedPage()
  const sent = submitted?.form === 'find ticket' ? submitted : null
  const [error, setError] = useState(sent?.messages[0])
  async function submit(send: FormEvent<HTMLFormElement>): Promise<void> {
    send.preventDefault()
    // Each request counts towards the limit of one address.
    if (find.isPending) return
    const email = String(new FormData(send.currentTarget).get(REGISTERED_EMAIL) ?? '')
    setError(undefined)
    try {
      await find.send({ payload: { eventId: event.id, email } })
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure
      setError(failure.fields[0]?.msg() ?? failure.message)
    }
  }
  return (
    <details className={`fold ${styles.findTicket}`} open={sent !== null}>
      <summary>
        {texts.lostTicket()}
        <span className="icon chevron-right" aria-hidden="true" />
      </summary>
      {/* Without JavaScript the form is sent to the page's own address. */}
      <form data-native method="post" action={paths.event(event)} onSubmit={(send) => void submit(send)} noValidate>
        <Field
          label={texts.registeredEmail()}
          name={REGISTERED_EMAIL}
          type="email"
          inputMode="email"
          autoComplete="email"
          defaultValue={sent?.values[REGISTERED_EMAIL]?.[0]}
          error={error}
        />
        <button type="submit" className="button quiet" aria-disabled={find.isPending}>
          {texts.sendItAgain()}
        </button>
        {/* Unlike the notice, it stays until another address is tried. */}
        <p role="status">{(find.isSuccess || (sent && error === undefined)) && texts.ticketOnItsWay()}</p>
      </form>
    </details>
  )
}
