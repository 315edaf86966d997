import { useCallback, useEffect } from 'react'
import { Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import { unpaidOf } from '../../contract/order.ts'
import { orderApi } from '../../contract/orders.ts'
import { ticketApi } from '../../contract/tickets.ts'
import { formatTime } from '../../contract/values/dates.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/registered.ts'
import { call } from '../api/call.ts'
import { useRead } from '../api/use-read.ts'
import { useSend } from '../api/use-send.ts'
import * as paths from '../paths.ts'
import { useNow } from '../ui/use-now.ts'
import { forgetDraft, forgetUnpaid, type Holder } from './draft.ts'
import { isNoTicket } from './ticket/is-no-ticket.ts'
import { canStillPay } from './ticket/MoneyBack.tsx'
import styles from './UnpaidRegistration.module.css'

interface Props {
  event: Event
  holder: Holder
  /** Called when it no longer waits to be paid: the form replaces it. */
  onSettled: () => void
}

/** For visitors who return without having paid: the place held for them, with ways to pay or change it. */
export function UnpaidRegistration({ event, holder, onSettled }: Props) {
  const { id: registrationId, qrUuid, order } = holder
  const ask = useCallback(() => readUnpaidOf(holder), [holder])
  const { data: unpaid, error, isReading, read } = useRead(ask)
  const giveBack = useSend(ticketApi.giveBack, { quiet: true })
  const giveAllBack = useSend(orderApi.giveBackTickets, { quiet: true })
  const isGivingBack = giveBack.isPending || giveAllBack.isPending
  const now = useNow()
  const isMissing = error !== null && isNoTicket(error)
  const one = unpaid?.one
  const isSettled =
    isMissing || (unpaid !== null && (!one || !canStillPay({ registration: one, event: unpaid.event }, now)))
  const isConfirmed = unpaid?.isConfirmed === true
  useEffect(() => {
    if (!isSettled || isGivingBack) return
    if (isConfirmed) forgetDraft(event.id)
    else forgetUnpaid(event.id)
    onSettled()
  }, [isSettled, isConfirmed, isGivingBack, event.id, onSettled])
  if (isSettled) return null
  if (!unpaid || !one)
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
  const { holdExpiresAt } = one
  const isHeld = one.status === 'pending'
  const { name, people, amount } = unpaid
  const facts = {
    name: people > 1 ? texts.nameAndOthers({ name, others: people - 1 }) : name,
    amount: formatPrice(amount, one.currency),
    people,
  }

  async function change(): Promise<void> {
    if (isGivingBack) return
    try {
      if (isHeld && order) await giveOrderBack(order)
      else if (isHeld) await giveBack.send({ payload: { registrationId, qrUuid } })
    } catch (failure) {
      // Reads the ticket again to see whether it went through. A place that is already given back counts as success.
      if (!(failure instanceof Refusal) || failure.code !== 'TICKET_CANCELLED' || order) return void read()
    }
    forgetUnpaid(event.id)
    onSettled()
  }

  /** Gives back the places of all who are paid together. */
  async function giveOrderBack({ id: orderId, secret }: NonNullable<Holder['order']>): Promise<void> {
    const { tickets } = await call(orderApi.getOrder, { orderId, secret }, { quiet: true })
    const held = tickets.filter((each) => each.registration.status === 'pending')
    const registrationIds = held.map((each) => each.registration.id)
    if (held.length > 0) await giveAllBack.send({ payload: { orderId, secret, registrationIds } })
  }
  const failure = giveBack.error ?? giveAllBack.error
  return (
    <div className={styles.unpaid}>
      <h3>{texts.unpaid()}</h3>
      <p>
        {isHeld && holdExpiresAt
          ? texts.keptUntil({ ...facts, time: formatTime(holdExpiresAt, event.timeZone) })
          : texts.notKept(facts)}
      </p>
      {failure && <p role="alert">{failure.message}</p>}
      <p className="row">
        <a className="button" href={order ? paths.order(order) : paths.registered(one)}>
          {texts.pay()}
        </a>
        <button type="button" className="button quiet" aria-disabled={isGivingBack} onClick={() => void change()}>
          {texts.change()}
        </button>
      </p>
      <p className="muted small">{texts.placeIsFree({ people })}</p>
    </div>
  )
}

/** What waits to be paid: of a ticket's holder, or of all of the order. */
async function readUnpaidOf({ id: registrationId, qrUuid, order }: Holder) {
  if (!order) {
    const { registration, event } = await call(ticketApi.getRegistration, { registrationId, qrUuid }, { isTold: true })
    const { name } = registration.registrationData
    const isConfirmed = registration.status === 'confirmed'
    return { one: registration, event, name, people: 1, amount: registration.amount, isConfirmed }
  }
  const input = { orderId: order.id, secret: order.secret }
  const { tickets, event, order: current } = await call(orderApi.getOrder, input, { isTold: true })
  const registrations = tickets.map(({ registration }) => registration)
  const together = unpaidOf(registrations)
  const [one] = together
  return {
    ...{ one, event, name: one?.registrationData.name ?? current.contact.name, people: together.length },
    amount: together.reduce((sum, { amount }) => sum + amount, 0),
    isConfirmed: registrations.some(({ status }) => status === 'confirmed'),
  }
}
