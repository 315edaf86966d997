import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/events.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { formatTime } from '../../contract/values/dates.ts'
import { formatPrice } from '../../contract/values/money.ts'
import { query, useCall } from '../api/call.ts'
import { paths } from '../paths.ts'
import { useNow } from '../ui/use-now.ts'
import { forgetDraft, forgetUnpaid, type Holder } from './draft.ts'
import { canStillPay } from './ticket/MoneyBack.tsx'
import styles from './UnpaidRegistration.module.css'

interface Props {
  event: Event
  holder: Holder
  /** It does not wait to be paid any more: the form takes its place. */
  onSettled: () => void
}

/** For visitors who come back without having paid: the place held for them, and how to pay or to change it. */
export function UnpaidRegistration({ event, holder: { id: registrationId, qrUuid }, onSettled }: Props) {
  const {
    data: ticket,
    error,
    isFetching,
    refetch,
  } = useQuery(query(registrationApi.getRegistration, { registrationId, qrUuid }))
  const giveBack = useCall(registrationApi.giveBack, { quiet: true })
  const now = useNow()
  const isMissing = error?.code === 'NOT_FOUND'
  const isSettled = isMissing || (ticket !== undefined && !canStillPay(ticket, now))
  const isConfirmed = ticket?.registration.status === 'confirmed'
  useEffect(() => {
    if (!isSettled || giveBack.isPending) return
    if (isConfirmed) forgetDraft(event.id)
    else forgetUnpaid(event.id)
    onSettled()
  }, [isSettled, isConfirmed, giveBack.isPending, event.id, onSettled])
  if (isSettled) return null
  if (!ticket)
    return (
      error && (
        <div className={styles.unpaid}>
          <h3>You may have an unpaid registration</h3>
          <p role="alert">{error.message}</p>
          <button
            type="button"
            className="button"
            aria-disabled={isFetching}
            onClick={() => !isFetching && void refetch()}
          >
            {isFetching ? 'One moment …' : 'Try again'}
          </button>
        </div>
      )
    )
  const { registration } = ticket
  const { holdExpiresAt } = registration
  const isHeld = registration.status === 'pending'

  async function change(): Promise<void> {
    if (giveBack.isPending) return
    try {
      if (isHeld) await giveBack.mutateAsync({ payload: { registrationId, qrUuid } })
    } catch (failure) {
      // Whether it went through is seen when the ticket is read again; what is given back already need not be once more.
      if (!(failure instanceof Refusal) || failure.code !== 'TICKET_CANCELLED') return
    }
    forgetUnpaid(event.id)
    onSettled()
  }
  return (
    <div className={styles.unpaid}>
      <h3>You have an unpaid registration</h3>
      <p>
        {registration.registrationData.name}, {formatPrice(registration.amount, registration.currency)}.{' '}
        {isHeld && holdExpiresAt
          ? `We keep your place until ${formatTime(holdExpiresAt, event.timeZone)}.`
          : 'The time to pay is over; while there is a place, you can take it once more.'}
      </p>
      {giveBack.error && <p role="alert">{giveBack.error.message}</p>}
      <p className="row">
        <Link className="button" href={paths.registered(registration)}>
          Pay
        </Link>
        <button type="button" className="button quiet" aria-disabled={giveBack.isPending} onClick={() => void change()}>
          Change
        </button>
      </p>
      <p className="muted small">If you change it, your place is free for others until you register again.</p>
    </div>
  )
}
