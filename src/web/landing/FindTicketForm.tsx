import * as texts from '../../texts/generated/landing.ts'
import * as paths from '../paths.ts'
import { REGISTERED_EMAIL } from '../registrations/FindTicket.tsx'
import { useRenderedPage } from '../rendered-page.ts'
import { Field } from '../ui/forms/Field.tsx'

interface Props {
  title: string
  heading: 'h2' | 'h3'
  /** Whether the page has a more important button. */
  isQuiet?: boolean
}

/** Mails all tickets of an address again. The browser itself sends it to the start page, which also has the answer. */
export function FindTicketForm({ title, heading: Heading, isQuiet = false }: Props) {
  const { submitted } = useRenderedPage()
  const sent = submitted?.form === 'find ticket' ? submitted : null
  const error = sent?.messages[0]
  return (
    // With the hash the page opens at the answer.
    <form className="card" method="post" action={`${paths.landing}#tickets`} id="tickets" noValidate>
      <Heading>{title}</Heading>
      <Field
        label={texts.registeredEmail()}
        name={REGISTERED_EMAIL}
        type="email"
        inputMode="email"
        autoComplete="email"
        defaultValue={sent?.values[REGISTERED_EMAIL]?.[0]}
        error={error}
      />
      <button type="submit" className={isQuiet ? 'button light' : 'button'}>
        {texts.sendMeMyTickets()}
      </button>
      {sent && error === undefined && <p role="status">{texts.ticketsOnTheirWay()}</p>}
    </form>
  )
}
