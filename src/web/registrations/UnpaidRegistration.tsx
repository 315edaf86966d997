import { useCallback, useEffect } from 'react'
import { Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import { ticketApi } from '../../contract/tickets.ts'
import { formatTime } from '../../contract/values/dates.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/registered.ts'
import { call } from '../api/call.ts'
import { useRead } from '../api/use-read.ts'
import { useSend } from '../api/use-send.ts'
import { paths } from '../paths.ts'
import { useNow } from '../ui/use-now.ts'
import { forgetDraft, forgetUnpaid, type Holder } from './draft.ts'
import { canStillPay } from './ticket/MoneyBack.tsx'
import styles from './UnpaidRegistration.module.css'

interface Props {
  event: Event
  holder: Holder
  /** Called when it no longer waits to be paid: the form replaces it. */
  onSettled: () => void
}

/** For visitors who return without having paid: the place held for them, with ways to pay or change it. */
export function UnpaidRegistration({ event, holder: { id: registrationId, qrUuid }, onSettled }: Props) {
  const ask = useCallback(
    () => call(ticketApi.getRegistration, { registrationId, qrUuid }, { isTold: true }),
    [registrationId, qrUuid],
  )
  const { data: ticket, error, isReading, read } = useRead(ask)
  const giveBack = useSend(ticketApi.giveBack, { quiet: true })
  const now = useNow()
  const isMissing = error?.code === 'NOT_FOUND'
  const isSettled = isMissing || (ticket !== null && !canStillPay(ticket, now))
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
          <h3>{texts.mayBeUnpaid()}</h3>
          <p role="alert">{error.message}</p>
          <button type="button" className="button" aria-disabled={isReading} onClick={() => !isReading && void read()}>
            {isReading ? texts.oneMoment() : texts.tryAgain()}
          </button>
        </div>
      )
    )
  const { registration } = ticket
  const { holdExpiresAt } = registration
  const isHeld = registration.status === 'pending'
  const order = {
    name: registration.registrationData.name,
    amount: formatPrice(registration.amount, registration.currency),
  }

  async function change(): Promise<void> {
    if (giveBack.isPending) return
    try {
      if (isHeld) await giveBack.send({ payload: { registrationId, qrUuid } })
    } catch (failure) {
      // Reads the ticket again to see whether it went through. A place that is already given back counts as success.
      if (!(failure instanceof Refusal) || failure.code !== 'TICKET_CANCELLED') return void read()
    }
    forgetUnpaid(event.id)
    onSettled()
  }
  return (
    <div className={styles.unpaid}>
      <h3>{texts.unpaid()}</h3>
      <p>
        {isHeld && holdExpiresAt
          ? texts.keptUntil({ ...order, time: formatTime(holdExpiresAt, event.timeZone) })
          : texts.notKept(order)}
      </p>
      {giveBack.error && <p role="alert">{giveBack.error.message}</p>}
      <p className="row">
        <a className="button" href={paths.registered(registration)}>
          {texts.pay()}
        </a>
        <button type="button" className="button quiet" aria-disabled={giveBack.isPending} onClick={() => void change()}>
          {texts.change()}
        </button>
      </p>
      <p className="muted small">{texts.placeIsFree()}</p>
    </div>
  )
}
