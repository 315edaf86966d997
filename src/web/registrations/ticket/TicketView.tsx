import * as texts from '../../../texts/generated/ticket.ts'
import './ticket.css'
import { useState } from 'react'
import { numbered } from '../../../contract/extras.ts'
import { formatDate, formatTime } from '../../../contract/values/dates.ts'
import { useLastSeen } from '../../api/last-seen.ts'
import { ClubLink } from '../../events/ClubLink.tsx'
import { WriteToClub } from '../../events/EventActions.tsx'
import type { Kept } from '../../offline/keep-ticket.ts'
import * as paths from '../../paths.ts'
import { CheckoutPanel } from '../../payments/CheckoutPanel.tsx'
import { useRenderedPage } from '../../rendered-page.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useOnline } from '../../ui/use-online.ts'
import { useWakeLock } from '../../ui/use-wake-lock.ts'
import { CorrectTicket } from './changes/CorrectTicket.tsx'
import { GiveBack } from './changes/GiveBack.tsx'
import { HandOn } from './changes/HandOn.tsx'
import { canStillPay, MoneyBack } from './MoneyBack.tsx'
import { OrderLines, paidOf, ReceiptLines } from './OrderLines.tsx'
import { TicketActions } from './TicketActions.tsx'
import { TicketCard } from './TicketCard.tsx'
import { isUsed, type Ticket } from './ticket.ts'
import { useNoteOpened } from './use-note-opened.ts'
import { VoucherCard } from './VoucherCard.tsx'

interface Props {
  ticket: Ticket
  /** Leads on to the bank's page, if the ticket is still to be paid. */
  goesToBank: boolean
  /** How this device stores it. */
  kept: Kept
}

/** A ticket, its vouchers, and what its holder can do with them. */
export function TicketView({ ticket, goesToBank, kept }: Props) {
  const { registration, event, extras } = ticket
  const isValid = registration.status === 'confirmed' && event.status !== 'cancelled'
  const now = useNow()
  const canPay = canStillPay(ticket, now)
  const { refresh } = useRenderedPage()
  // Once: it is no longer in the address afterwards.
  const [goesAtOnce] = useState(goesToBank)
  useNoteOpened(registration.id, registration.qrUuid)
  // One code is open at a time, so that nobody shows the drink at the door.
  const [openVoucher, setOpenVoucher] = useState<number | null>(null)
  const isOnline = useOnline()
  const lastSeen = useLastSeen()
  useWakeLock()
  return (
    <div className="page narrow">
      <PageTitle title={texts.title({ event: event.name })} />
      <ClubLink club={ticket.club} />
      <h1>{isOnline && canPay && registration.status === 'pending' ? texts.almostThere() : texts.yourTicket()}</h1>
      {(!isOnline || lastSeen) && (
        <p role="status" className="hint">
          {lastSeenText(lastSeen, isOnline, event.timeZone)} {isValid && texts.worksAtDoor()}
        </p>
      )}
      {event.status === 'cancelled' && <Sorry ticket={ticket} />}
      <MoneyBack ticket={ticket} />
      {canPay && ticket.paidTogether && <p className="hint">{texts.paidTogether(ticket.paidTogether)}</p>}
      {isOnline && canPay && !ticket.paidTogether && (
        <CheckoutPanel
          registration={registration}
          event={event}
          goesAtOnce={goesAtOnce}
          onChange={() => refresh().catch(() => {})}
        >
          <OrderLines ticket={ticket} />
        </CheckoutPanel>
      )}
      <TicketCard
        ticket={ticket}
        isFolded={openVoucher !== null}
        hasReceiptBelow
        onUnfold={() => {
          setOpenVoucher(null)
          window.scrollTo({ top: 0 })
        }}
      />
      {extras.length > 0 && (
        <section className="vouchers" aria-labelledby="vouchers">
          <h2 id="vouchers">{texts.yourVouchers()}</h2>
          {extras.map((voucher, at) => (
            <VoucherCard
              key={voucher.id}
              voucher={voucher}
              name={numbered(voucher, extras)}
              isValid={isValid}
              isUnpaid={registration.status === 'pending' && event.status !== 'cancelled'}
              isOpen={openVoucher === voucher.id}
              isDrawn={at < MOST_DRAWN}
              onToggle={(isOpen) => setOpenVoucher((open) => (isOpen ? voucher.id : open === voucher.id ? null : open))}
            />
          ))}
        </section>
      )}
      <TicketActions ticket={ticket} />
      {paidOf(ticket) && (
        <section className="card" aria-labelledby="receipt">
          <h2 id="receipt">{texts.receipt()}</h2>
          <ReceiptLines ticket={ticket} />
        </section>
      )}
      <CorrectTicket ticket={ticket} />
      <HandOn ticket={ticket} />
      <GiveBack ticket={ticket} />
      {/* It comes late, so it is below all that can be pressed. */}
      {kept && isOnline && isValid && !isUsed(ticket) && (
        <p className="muted small center kept">
          {kept === 'while signed in' ? texts.keptSignedIn() : texts.kept()}{' '}
          {event.startsAt.getTime() - now.getTime() > WEEK && texts.openOnceMore()}
        </p>
      )}
      {isOnline && event.status !== 'cancelled' && (
        <p className="center">
          <a href={paths.event(event)}>
            {registration.status === 'cancelled' ? texts.backToEvent() : texts.aboutEvent()}
          </a>
        </p>
      )}
    </div>
  )
}

/** How many vouchers' codes the server draws; each costs it about a millisecond. */
const MOST_DRAWN = 10
const WEEK = 7 * 24 * 60 * 60_000

/** Says that the ticket may have changed since it was last read, and when that was if known. */
function lastSeenText(lastSeen: Date | null, isOnline: boolean, timeZone: string): string {
  if (!lastSeen) return isOnline ? texts.unreachable() : texts.offline()
  const at = { date: formatDate(lastSeen, timeZone), time: formatTime(lastSeen, timeZone) }
  return isOnline ? texts.unreachableSince(at) : texts.offlineSince(at)
}

/** Tells a ticket holder that the event is cancelled. */
function Sorry({ ticket: { registration, payment, event, club } }: { ticket: Ticket }) {
  const isOwed = payment !== null && payment.refunded + payment.lost + payment.atDoorLeft < payment.paid
  const sorry = isOwed ? texts.sorryPaid : payment === null ? texts.sorryFree : texts.sorry
  return (
    <div className="problem">
      <p role="status">
        {sorry({ club: club.name })} <a href={paths.club(registration.clubId)}>{texts.seeOthers()}</a>
      </p>
      <WriteToClub event={event} club={club} className="button quiet" />
    </div>
  )
}
