import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { useParams, useSearchParams } from 'react-router'
import { Refusal } from '../../../contract/errors.ts'
import { numbered } from '../../../contract/extras.ts'
import { registrationApi } from '../../../contract/registrations.ts'
import { ticketApi } from '../../../contract/tickets.ts'
import { formatDate, formatTime } from '../../../contract/values/dates.ts'
import { toRequest } from '../../../contract/wire.ts'
import { call } from '../../api/call.ts'
import { useLastSeen } from '../../api/last-seen.ts'
import { query } from '../../api/query.ts'
import { queryClient } from '../../api/query-client.ts'
import { FindTicketForm } from '../../landing/FindTicketForm.tsx'
import { ClubColours } from '../../layouts/ClubColours.tsx'
import { keepOffline } from '../../offline/keep-offline.ts'
import { type Kept, keepTicket } from '../../offline/keep-ticket.ts'
import { paths } from '../../paths.ts'
import { CheckoutPanel } from '../../payments/CheckoutPanel.tsx'
import { readId } from '../../read-id.ts'
import { Loading } from '../../ui/Loading.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useOnline } from '../../ui/use-online.ts'
import { useWakeLock } from '../../ui/use-wake-lock.ts'
import { CorrectTicket } from './CorrectTicket.tsx'
import { canStillPay, MoneyBack } from './MoneyBack.tsx'
import { GiveBack, TicketActions } from './TicketActions.tsx'
import { TicketCard } from './TicketCard.tsx'
import type { Ticket } from './ticket.ts'
import { VoucherCard } from './VoucherCard.tsx'
import { VoucherPage } from './VoucherPage.tsx'

/** The page of a ticket, at the address that its QR code contains. */
export function TicketPage() {
  const { id, qrUuid = '' } = useParams()
  const isVoucher = useSearchParams()[0].get('type') === 'voucher'
  return <KeptPage key={`${id} ${isVoucher}`} id={readId(id)} qrUuid={qrUuid} isVoucher={isVoucher} />
}

function KeptPage({ id, qrUuid, isVoucher }: { id: number; qrUuid: string; isVoucher: boolean }) {
  const kept = useKept(id, qrUuid, isVoucher)
  return (
    <ErrorBoundary FallbackComponent={NoTicket}>
      <Suspense fallback={<Loading />}>
        {isVoucher ? (
          <VoucherPage extrasPurchaseId={id} qrUuid={qrUuid} />
        ) : (
          <WholeTicket id={id} qrUuid={qrUuid} kept={kept} />
        )}
      </Suspense>
    </ErrorBoundary>
  )
}

/** Shown for a link to no ticket. All other failures are shown as on every page. */
function NoTicket({ error }: FallbackProps) {
  if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND') throw error
  return (
    <div className="page narrow">
      <PageTitle title="Ticket not found" />
      <h1>We cannot find this ticket</h1>
      <p>
        Was the link cut off? Open it from your mail again, or copy the whole of it. A ticket whose registration the
        club has removed does not exist any more.
      </p>
      <FindTicketForm title="Or get it by mail again" heading="h2" />
    </div>
  )
}

function WholeTicket({ id, qrUuid, kept }: { id: number; qrUuid: string; kept: Kept }) {
  const { data: ticket } = useSuspenseQuery(
    query(registrationApi.getRegistration, { registrationId: id, qrUuid }, { saysMissing: true }),
  )
  const { registration, event, extras } = ticket
  const isValid = registration.status === 'confirmed' && event.status !== 'cancelled'
  const now = useNow()
  const goesAtOnce = useSearchParams()[0].get('pay') === 'hosted'
  useNoteOpened(id, qrUuid)
  // One code is open at a time, so that nobody shows the drink at the door.
  const [openVoucher, setOpenVoucher] = useState<number | null>(null)
  const isOnline = useOnline()
  const lastSeen = useLastSeen()
  useWakeLock()
  return (
    <div className="page narrow">
      <ClubColours colour={ticket.club.colour} />
      <PageTitle title={`Ticket: ${ticket.event.name}`} />
      <h1>Your ticket</h1>
      {(!isOnline || lastSeen) && (
        <p role="status" className="hint">
          {isOnline ? 'Turnout cannot be reached just now.' : 'You are offline.'} This is your ticket as you last saw it
          {lastSeen && `, on ${formatDate(lastSeen, event.timeZone)} at ${formatTime(lastSeen, event.timeZone)}`}.
          {isValid && ' It works at the door all the same.'}
        </p>
      )}
      {event.status === 'cancelled' && <Sorry ticket={ticket} />}
      <MoneyBack ticket={ticket} />
      <TicketCard
        ticket={ticket}
        isFolded={openVoucher !== null}
        onUnfold={() => {
          setOpenVoucher(null)
          window.scrollTo({ top: 0 })
        }}
      />
      {isOnline && canStillPay(ticket, now) && (
        <CheckoutPanel
          registration={registration}
          event={event}
          goesAtOnce={goesAtOnce}
          onChange={() => queryClient.invalidateQueries()}
        />
      )}
      {extras.length > 0 && (
        <section className="vouchers" aria-labelledby="vouchers">
          <h2 id="vouchers">Your vouchers</h2>
          {extras.map((voucher) => (
            <VoucherCard
              key={voucher.id}
              voucher={voucher}
              name={numbered(voucher, extras)}
              isValid={isValid}
              isUnpaid={registration.status === 'pending' && event.status !== 'cancelled'}
              isOpen={openVoucher === voucher.id}
              onToggle={(isOpen) => setOpenVoucher(isOpen ? voucher.id : null)}
            />
          ))}
        </section>
      )}
      <TicketActions ticket={ticket} />
      {kept && isOnline && isValid && (
        <p className="muted center">
          {kept === 'while signed in'
            ? 'Kept on this device while you are signed in: it opens without network too.'
            : 'Kept on this device: it opens without network too.'}
          {event.startsAt.getTime() - now.getTime() > WEEK &&
            ' Some phones forget pages after a week: open it once more shortly before.'}
        </p>
      )}
      <CorrectTicket ticket={ticket} />
      <GiveBack ticket={ticket} />
      {isOnline && event.status !== 'cancelled' && (
        <p className="center">
          <a href={paths.event(event)}>
            {registration.status === 'cancelled' ? 'Back to the event' : 'About the event'}
          </a>
        </p>
      )}
    </div>
  )
}

const WEEK = 7 * 24 * 60 * 60_000

/** Tells a ticket holder that the event is cancelled. */
function Sorry({ ticket: { registration, payment, club } }: { ticket: Ticket }) {
  const isOwed = payment !== null && payment.refunded + payment.lost < payment.paid
  return (
    <p role="status" className="hint">
      We are sorry: {club.name} has cancelled this event.{' '}
      {isOwed ? 'What you have paid goes back to your card. ' : payment === null && 'You do not need to do anything. '}
      <a href={paths.club(registration.clubId)}>See what else is on</a>
    </p>
  )
}

/** The id of the mail whose link was opened. */
function mailIdOfLink(): { mailId?: string } {
  const mailId = new URLSearchParams(window.location.hash.slice(1)).get('mail')
  return mailId !== null && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(mailId) ? { mailId } : {}
}

/** Records that the ticket was opened, so that the club knows that it has arrived. A failure is not worth showing. */
function useNoteOpened(registrationId: number, qrUuid: string): void {
  useEffect(() => {
    const payload = { registrationId, qrUuid, ...mailIdOfLink() }
    call(ticketApi.noteOpened, { payload }, { background: true }).catch(() => {})
  }, [registrationId, qrUuid])
}

/**
 * Stores the page and its ticket on this device. Returns how it is stored. It does not wait for the ticket's data: if the stored
 * version is too old to read them, this is how it gets a newer version.
 */
function useKept(id: number, qrUuid: string, isVoucher: boolean): Kept {
  const [kept, setKept] = useState<Kept>(null)
  useEffect(() => {
    if (isVoucher) return void keepOffline('ticket')
    void keepTicket(toRequest(registrationApi.getRegistration, { registrationId: id, qrUuid }).url).then(setKept)
  }, [id, qrUuid, isVoucher])
  return kept
}
