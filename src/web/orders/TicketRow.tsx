import { useRef } from 'react'
import { correctionsEnd, type Event } from '../../contract/event.ts'
import type { TicketOfOrder } from '../../contract/orders.ts'
import { formatTime } from '../../contract/values/dates.ts'
import { shortCode, ticketUrl } from '../../contract/values/ticket-codes.ts'
import * as texts from '../../texts/generated/order.ts'
import * as paths from '../paths.ts'
import { baseUrl } from '../site.ts'
import { ZoomableCode } from '../ui/codes/ZoomableCode.tsx'
import { useIsRunning } from '../ui/use-is-running.ts'
import { useNow } from '../ui/use-now.ts'
import { useOpenedBefore } from '../ui/use-opened-before.ts'

interface Props {
  ticket: TicketOfOrder
  event: Event
  isOpen: boolean
  /** Whether the server draws its code. */
  isDrawn: boolean
  onToggle: (isOpen: boolean) => void
}

/** One of several tickets: a row with whose it is, which opens to its code. */
export function TicketRow({ ticket, event, isOpen, isDrawn, onToggle }: Props) {
  const { registration, ticketType, voucherCount, checkin } = ticket
  const { name } = registration.registrationData
  const details = useRef<HTMLDetailsElement>(null)
  const isRunning = useIsRunning()
  useOpenedBefore(details, () => onToggle(true))
  const canChange =
    useNow() < correctionsEnd(event) &&
    event.status !== 'cancelled' &&
    registration.status !== 'cancelled' &&
    !checkin?.status
  const { isHandedOn } = ticket
  const isValid = registration.status === 'confirmed' && event.status !== 'cancelled' && !isHandedOn
  return (
    <details
      ref={details}
      name="ticket"
      className="card voucher"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        // Also reports a change by React itself, which is no news.
        if (currentTarget.open !== isOpen) onToggle(currentTarget.open)
      }}
    >
      <summary>
        <span className="icon ticket" aria-hidden="true" />
        <span>
          <strong>{name}</strong>
          {ticketType && (
            <>
              <br />
              <span className="small">{ticketType.name}</span>
            </>
          )}
        </span>
        <TicketState ticket={ticket} event={event} />
        <span className="icon chevron-right" aria-hidden="true" />
      </summary>
      <div className="ticket">
        {isValid && (isRunning ? isOpen : isDrawn) && (
          <ZoomableCode
            text={ticketUrl(baseUrl(), registration)}
            label={texts.codeOf({ name })}
            caption={shortCode(registration)}
          />
        )}
        {isHandedOn ? <p>{texts.handedOnTo({ name })}</p> : <p className="code">{shortCode(registration)}</p>}
        {!isHandedOn && (
          <p className="ticket-links">
            <a href={paths.ticket(registration)}>
              {voucherCount > 0 ? texts.openWithVouchers({ count: voucherCount }) : texts.openTicket()}
            </a>
            {canChange && (
              <a
                className="needs-script"
                href={`${paths.ticket(registration)}#correct`}
                aria-label={texts.correctOf({ name })}
              >
                {texts.correct()}
              </a>
            )}
            {canChange && ticket.canHandOn && (
              <a
                className="needs-script"
                href={`${paths.ticket(registration)}#hand-on`}
                aria-label={texts.handOnOf({ name })}
              >
                {texts.handOn()}
              </a>
            )}
          </p>
        )}
      </div>
    </details>
  )
}

function TicketState({ ticket: { registration, checkin, isHandedOn }, event }: Pick<Props, 'ticket' | 'event'>) {
  if (event.status === 'cancelled') return <span className="badge bad">{texts.notValid()}</span>
  if (registration.cancelReason === 'hold ended') return <span className="badge bad">{texts.notPaidInTime()}</span>
  if (registration.status === 'cancelled') return <span className="badge bad">{texts.cancelled()}</span>
  if (registration.status === 'pending') return <span className="badge warm">{texts.notPaidYet()}</span>
  if (isHandedOn) return <span className="badge calm">{texts.handedOnState()}</span>
  if (!checkin?.status || !checkin.checkinTime) return <span className="badge good">{texts.valid()}</span>
  return <span className="badge calm">{texts.inSince({ time: formatTime(checkin.checkinTime, event.timeZone) })}</span>
}
