import * as texts from '../../texts/generated/registered.ts'
import * as ticketTexts from '../../texts/generated/ticket.ts'
import { Parts } from '../ui/Parts.tsx'
import './ticket/ticket.css'
import { ticketApi } from '../../contract/tickets.ts'
import { toRequest } from '../../contract/wire.ts'
import { ClubLink } from '../events/ClubLink.tsx'
import { EventFacts } from '../events/EventFacts.tsx'
import * as paths from '../paths.ts'
import { CheckoutPanel } from '../payments/CheckoutPanel.tsx'
import { NotHeardYet, usePaymentCheck } from '../payments/PaymentCheck.tsx'
import { useRenderedPage } from '../rendered-page.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { useNow } from '../ui/use-now.ts'
import styles from './RegisteredPage.module.css'
import { canStillPay, MoneyBack } from './ticket/MoneyBack.tsx'
import { OrderLines } from './ticket/OrderLines.tsx'
import { TicketCard } from './ticket/TicketCard.tsx'
import { isUsed, type Ticket } from './ticket/ticket.ts'
import { useForgetDraft } from './use-forget-draft.ts'

interface Props {
  ticket: Ticket
  /** The payment that the visitor returns from; null when there was none. */
  sessionId: string | null
}

/** The result of a registration: the payment still to be made, or the ticket and what happens next. */
export function RegisteredPage({ ticket, sessionId }: Props) {
  const { registration } = ticket
  const { refresh, submitted } = useRenderedPage()
  const isChecking = usePaymentCheck(registration.status === 'confirmed' ? null : sessionId, refresh)
  const isLate = registration.status === 'cancelled' && ticket.payment !== null
  const canPay = canStillPay(ticket, useNow()) && !isLate
  if (registration.status === 'confirmed') return <Registered ticket={ticket} />
  return (
    <div className="page narrow">
      <PageTitle title={canPay ? texts.almostThere() : texts.notRegistered()} />
      <ClubLink club={ticket.club} />
      <h1>{canPay ? texts.almostThere() : texts.youAreNotRegistered()}</h1>
      <MoneyBack ticket={ticket} />
      {submitted?.messages.map((message) => (
        <p key={message} className="problem" role="alert">
          {message}
        </p>
      ))}
      {isChecking ? (
        <NotHeardYet />
      ) : (
        canPay &&
        (ticket.paidTogether ? (
          <p className="hint">{ticketTexts.paidTogether(ticket.paidTogether)}</p>
        ) : (
          <CheckoutPanel
            key={registration.id}
            registration={registration}
            event={ticket.event}
            onChange={() => refresh().catch(() => {})}
          >
            <OrderLines ticket={ticket} />
          </CheckoutPanel>
        ))
      )}
      <section className="card">
        <h2>{ticket.event.name}</h2>
        <EventFacts event={ticket.event} hasPrice={false} />
      </section>
      <p>
        <a href={paths.event({ id: ticket.event.id, clubId: registration.clubId })}>
          {texts.backTo({ event: ticket.event.name })}
        </a>
      </p>
    </div>
  )
}

function Registered({ ticket }: { ticket: Ticket }) {
  const { registration, extras, club, event } = ticket
  const wasUsed = isUsed(ticket)
  const holder = { registrationId: registration.id, qrUuid: registration.qrUuid }
  const sentTo = { email: registration.registrationData.email, strong: (text: string) => <strong>{text}</strong> }
  const aboutAddress = `mailto:${club.email}?subject=${encodeURIComponent(texts.myAddressFor({ event: event.name }))}`
  useForgetDraft(registration.eventId, registration.id)
  return (
    <div className="page narrow">
      <PageTitle title={wasUsed ? texts.youAreCheckedIn() : texts.youAreRegistered()} />
      <ClubLink club={club} />
      <div className="ticket">
        <div className="tick" aria-hidden="true">
          <span className="icon check" />
        </div>
        <h1>{wasUsed ? texts.youAreCheckedIn() : texts.youAreRegistered()}</h1>
        <p className={styles.event}>{event.name}</p>
        {!wasUsed && (
          <p>
            <Parts of={ticket.payment ? texts.sendingPaid(sentTo) : texts.sending(sentTo)} />
          </p>
        )}
      </div>
      <TicketCard ticket={ticket} />
      <div className={`ticket-actions ${styles.stacked}`}>
        <a className={wasUsed ? 'button quiet' : 'button'} href={toRequest(ticketApi.getCalendarFile, holder).url}>
          <span className="icon calendar-plus" aria-hidden="true" />
          {texts.addToCalendar()}
        </a>
        <a className={wasUsed ? 'button' : 'button quiet'} href={paths.ticket(registration)}>
          <span className="icon ticket" aria-hidden="true" />
          {extras.length > 0 ? texts.openTicketAndVouchers({ count: extras.length }) : texts.openTicket()}
        </a>
      </div>
      {!wasUsed && club.email !== '' && (
        <p className="muted small center">
          <Parts of={texts.wrongAddress({ tell: (text) => <a href={aboutAddress}>{text}</a> })} />
        </p>
      )}
      <p className="center">
        <a href={paths.club(registration.clubId)}>{texts.moreFrom({ club: club.name })}</a>
      </p>
    </div>
  )
}
