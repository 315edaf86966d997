import '../registrations/ticket/ticket.css'
import { type MouseEvent, useState } from 'react'
import { unpaidOf } from '../../contract/order.ts'
import { orderApi, type TicketOfOrder } from '../../contract/orders.ts'
import { ticketApi } from '../../contract/tickets.ts'
import { toRequest } from '../../contract/wire.ts'
import * as texts from '../../texts/generated/order.ts'
import * as registeredTexts from '../../texts/generated/registered.ts'
import { download } from '../api/download.ts'
import { ClubLink } from '../events/ClubLink.tsx'
import { EventCover } from '../events/EventCover.tsx'
import { EventFacts } from '../events/EventFacts.tsx'
import * as paths from '../paths.ts'
import { CheckoutPanel } from '../payments/CheckoutPanel.tsx'
import { NotHeardYet, usePaymentCheck } from '../payments/PaymentCheck.tsx'
import { useNoteOpened } from '../registrations/ticket/use-note-opened.ts'
import { useForgetDraft } from '../registrations/use-forget-draft.ts'
import { useRenderedPage } from '../rendered-page.ts'
import type { PageData } from '../rendering/page-data.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { useNow } from '../ui/use-now.ts'
import { useWakeLock } from '../ui/use-wake-lock.ts'
import { GiveTicketsBack } from './GiveTicketsBack.tsx'
import { isLate, MoneyBackOfOrder, OrderReceipt, ToPay } from './OrderMoney.tsx'
import { TicketRow } from './TicketRow.tsx'

type Props = Omit<Extract<PageData, { page: 'order' }>, 'page'>

/** All tickets of several people who registered together, for whoever registered them. */
export function OrderPage({ order, event, club, tickets, sessionId, isNew, goesToBank }: Props) {
  const isOn = event.status !== 'cancelled'
  const own = tickets.filter(({ isHandedOn }) => isOn && !isHandedOn)
  const valid = own.filter(({ registration }) => registration.status === 'confirmed')
  const present = own.filter(({ registration }) => registration.status !== 'cancelled')
  const [first] = valid
  // One code is open at a time, so that nobody shows the same one twice.
  const [open, setOpen] = useState(first?.registration.id ?? null)
  useNoteOpened(order.id, tickets[0]?.registration.id === order.id ? tickets[0].registration.qrUuid : '')
  const { refresh, submitted } = useRenderedPage()
  const now = useNow()
  // Once: it is no longer in the address afterwards.
  const [goesAtOnce] = useState(goesToBank)
  const unpaid = isOn && now < event.endsAt && !isLate(tickets) ? unpaidTickets(tickets) : []
  const [toPay] = unpaid
  const isChecking = usePaymentCheck(toPay ? sessionId : null, refresh)
  useForgetDraft(order.eventId, order.id, first !== undefined && !toPay)
  useWakeLock()
  const isSentAll = first?.registration.id === order.id && tickets.every(({ isHandedOn }) => !isHandedOn)
  const isJustDone = first !== undefined && !toPay && (isNew || sessionId !== null)
  const notes = [
    first && sessionId !== null && !toPay && <strong key="thanks">{texts.thanks()} </strong>,
    valid.length > 1 && `${texts.showEach()} `,
    isSentAll && texts.sentTo({ email: order.contact.email }),
  ].filter(Boolean)
  return (
    <div className="page narrow">
      <PageTitle title={texts.title({ event: event.name })} />
      <ClubLink club={club} />
      {isJustDone ? (
        <div className="ticket">
          <div className="tick" aria-hidden="true">
            <span className="icon check" />
          </div>
          <h1>
            {valid.length === tickets.length ? registeredTexts.allAreRegistered() : registeredTexts.youAreRegistered()}
          </h1>
          {notes.length > 0 && <p>{notes}</p>}
        </div>
      ) : (
        <h1>{headingOf(toPay, first)}</h1>
      )}
      {isOn && !first && !toPay && !isLate(tickets) && <p role="status">{texts.allGivenBack()}</p>}
      {!isOn && (
        <p className="problem" role="status">
          {texts.eventCancelled({ club: club.name })}
        </p>
      )}
      <MoneyBackOfOrder tickets={tickets} currency={order.currency} />
      {submitted?.messages.map((message) => (
        <p key={message} className="problem" role="alert">
          {message}
        </p>
      ))}
      {toPay && isChecking && <NotHeardYet />}
      {toPay && !isChecking && (
        <CheckoutPanel
          registration={toPay.registration}
          event={event}
          order={{
            ...{ id: order.id, secret: order.secret, email: order.contact.email },
            ...{ people: unpaid.length, amount: amountOf(unpaid) },
          }}
          goesAtOnce={goesAtOnce}
          onChange={() => refresh().catch(() => {})}
        >
          <ToPay tickets={unpaid} currency={order.currency} />
        </CheckoutPanel>
      )}
      <section className="card ticket" aria-labelledby="event" data-cancelled={!isOn || undefined}>
        <EventCover
          event={event}
          colour={club.colour}
          className="strip"
          sizes="(min-width: 42rem) 40rem, 100vw"
          isFirst
        />
        <h2 id="event" className="at-start">
          {event.name}
        </h2>
        <EventFacts event={event} hasPrice={false} />
      </section>
      {!isJustDone && notes.length > 0 && <p>{notes}</p>}
      <section className="vouchers" aria-label={texts.tickets()}>
        {tickets.map((ticket, at) => (
          <TicketRow
            key={ticket.registration.id}
            ticket={ticket}
            event={event}
            isOpen={open === ticket.registration.id}
            isDrawn={at < MOST_DRAWN}
            onToggle={(isOpen) =>
              setOpen((before) => (isOpen ? ticket.registration.id : before === ticket.registration.id ? null : before))
            }
          />
        ))}
      </section>
      {first && <OrderFiles order={order} ticket={first.registration} />}
      <OrderReceipt tickets={tickets} currency={order.currency} timeZone={event.timeZone} />
      <GiveTicketsBack order={order} event={event} club={club} tickets={present} />
      <p className="center">
        <a href={paths.event(event)}>{texts.aboutEvent()}</a>
      </p>
    </div>
  )
}

/** The heading, unless they have just registered; `first` is the first valid ticket. */
function headingOf(toPay: TicketOfOrder | undefined, first: TicketOfOrder | undefined): string {
  if (first || !toPay) return texts.yourTickets()
  return toPay.registration.status === 'pending' ? texts.almostThere() : registeredTexts.youAreNotRegistered()
}

/** The tickets that can be paid now, together; none where they cost nothing. */
function unpaidTickets(tickets: readonly TicketOfOrder[]): TicketOfOrder[] {
  const together = unpaidOf(tickets.map(({ registration }) => registration))
  const unpaid = tickets.filter(({ registration }) => together.includes(registration))
  return amountOf(unpaid) > 0 ? unpaid : []
}

function amountOf(tickets: readonly TicketOfOrder[]): number {
  return tickets.reduce((sum, { registration }) => sum + registration.amount, 0)
}

/** How many codes the server draws; each costs it about a millisecond. */
const MOST_DRAWN = 10

/** The files of all tickets: links, which work without JavaScript too. */
function OrderFiles({ order, ticket }: Pick<Props, 'order'> & { ticket: { id: number; qrUuid: string } }) {
  const { getTicketsPdf } = orderApi
  const holder = { orderId: order.id, secret: order.secret }
  const save = (click: MouseEvent) => {
    // Opened in a new tab or window, it is a link like any other.
    if (click.ctrlKey || click.metaKey || click.shiftKey) return
    click.preventDefault()
    // A refusal has been shown by the download itself.
    void download(getTicketsPdf, holder).catch(() => {})
  }
  const calendar = toRequest(ticketApi.getCalendarFile, { registrationId: ticket.id, qrUuid: ticket.qrUuid }).url
  return (
    <div className="ticket-actions">
      <a className="button" href={toRequest(getTicketsPdf, holder).url} rel="nofollow" onClick={save}>
        <span className="icon file-type-pdf" aria-hidden="true" />
        {texts.saveAllAsPdf()}
      </a>
      <a className="button quiet" href={calendar} rel="nofollow" aria-label={texts.addToCalendar()}>
        <span className="icon calendar-plus" aria-hidden="true" />
        {texts.calendar()}
      </a>
    </div>
  )
}
