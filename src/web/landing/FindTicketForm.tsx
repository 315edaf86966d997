import { paths } from '../paths.ts'
import { REGISTERED_EMAIL } from '../registrations/FindTicket.tsx'
import { useRenderedPage } from '../rendered-page.ts'
import { Field } from '../ui/forms/Field.tsx'

/** Mails all tickets of an address again. The browser itself sends it to the start page, which also has the answer. */
export function FindTicketForm({ title, heading: Heading }: { title: string; heading: 'h2' | 'h3' }) {
  const { submitted } = useRenderedPage()
  const sent = submitted?.form === 'find ticket' ? submitted : null
  const error = sent?.messages[0]
  return (
    // With the hash the page opens at the answer.
    <form className="card" method="post" action={`${paths.landing}#tickets`} id="tickets" noValidate>
      <Heading>{title}</Heading>
      <Field
        label="E-mail you registered with"
        name={REGISTERED_EMAIL}
        type="email"
        inputMode="email"
        autoComplete="email"
        defaultValue={sent?.values[REGISTERED_EMAIL]?.[0]}
        error={error}
      />
      <button type="submit" className="button">
        Send me my tickets
      </button>
      {sent && error === undefined && (
        <p role="status">
          Please look into your mail: if the address is registered for events to come, the tickets are there in a
          minute.
        </p>
      )}
    </form>
  )
}
