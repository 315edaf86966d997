import * as texts from '../../../texts/generated/ticket.ts'
import './ticket.css'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { formatDate, formatTime } from '../../../contract/values/dates.ts'
import { shortCode, ticketUrl } from '../../../contract/values/ticket-codes.ts'
import { EventCover } from '../../events/EventCover.tsx'
import { EventFacts } from '../../events/EventFacts.tsx'
import { baseUrl } from '../../site.ts'
import { ZoomableCode } from '../../ui/codes/ZoomableCode.tsx'
import { ReceiptLines } from './OrderLines.tsx'
import { isUsed, type Ticket } from './ticket.ts'

interface Props {
  ticket: Ticket
  /** Whether another code is open on the page, so that this one is folded away. Paper always has it. */
  isFolded?: boolean
  /** Whether the card shows the receipt only when printed, because the page shows it below. */
  hasReceiptBelow?: boolean
  onUnfold?: () => void
}

/** The ticket: its code, large on white, with event and attendee. */
export function TicketCard({ ticket, isFolded = false, hasReceiptBelow = false, onUnfold }: Props) {
  const { registration, event, club, ticketType } = ticket
  const wasUsed = isUsed(ticket)
  const isValid = registration.status === 'confirmed' && event.status !== 'cancelled'
  const code = useRef<HTMLDivElement>(null)
  const unfold = () => {
    // The pressed button is gone afterwards; the code itself can be pressed too.
    flushSync(() => onUnfold?.())
    code.current?.querySelector('button')?.focus()
  }
  return (
    <section
      className="card ticket"
      aria-label={texts.ticket()}
      data-used={wasUsed || undefined}
      data-cancelled={event.status === 'cancelled' || undefined}
    >
      <EventCover
        event={event}
        colour={club.colour}
        className="strip"
        sizes="(min-width: 42rem) 40rem, 100vw"
        isFirst
      />
      <div className="code-part">
        <TicketState ticket={ticket} />
        {isValid && (
          <>
            {isFolded && (
              <button type="button" className="button quiet unfold" onClick={unfold}>
                <span className="icon qrcode" aria-hidden="true" />
                {texts.showTheCode()}
              </button>
            )}
            <div ref={code} className={isFolded ? 'own-code folded' : 'own-code'}>
              <ZoomableCode
                text={ticketUrl(baseUrl(), registration)}
                label={texts.ownCode()}
                caption={shortCode(registration)}
              />
            </div>
          </>
        )}
        <p className="code">{shortCode(registration)}</p>
      </div>
      <div>
        <h2>{event.name}</h2>
        <p>
          {registration.registrationData.name}
          <br />
          {ticketType && (
            <>
              {ticketType.name}
              <br />
            </>
          )}
          <span className="muted">{club.name}</span>
        </p>
        <div className="stub">
          <EventFacts
            event={event}
            // With several ticket types or a code the event's prices are not this ticket's.
            hasPrice={
              registration.amount === 0 && event.status !== 'cancelled' && !ticketType && registration.discount === 0
            }
          />
          <div className={hasReceiptBelow ? 'printed' : undefined}>
            <ReceiptLines ticket={ticket} />
          </div>
          {/* The club's contact, only in print: the page itself has links. */}
          <p className="printed">{[club.name, club.phone, club.website].filter((part) => part !== '').join(' · ')}</p>
        </div>
      </div>
    </section>
  )
}

function TicketState({ ticket: { registration, event, checkin } }: { ticket: Ticket }) {
  if (event.status === 'cancelled') return <p className="badge bad">{texts.theEventIsCancelled()}</p>
  if (registration.cancelReason === 'hold ended') return <p className="badge bad">{texts.notPaidInTime()}</p>
  if (registration.status === 'cancelled') return <p className="badge bad">{texts.cancelled()}</p>
  if (registration.status === 'pending') return <p className="badge warm">{texts.notPaidYet()}</p>
  if (!checkin?.status || !checkin.checkinTime) return <p className="badge good">{texts.valid()}</p>
  const { checkinTime } = checkin
  return (
    <p className="badge">
      {texts.checkedIn({
        date: formatDate(checkinTime, event.timeZone),
        time: formatTime(checkinTime, event.timeZone),
      })}
    </p>
  )
}
