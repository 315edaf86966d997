import { type RawBuilder, sql } from 'kysely'
import { isDue } from '../db/is-due.ts'
import type { Db, PaymentRow, RefundRow, Tx } from '../db/schema.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { isOwed, isStuck } from './failed-refund-queries.ts'
import { LONGEST_REFUND_GAP_MS } from './hold.ts'
import type { Claim } from './payment-queries.ts'

/** Queues refunds of all that is left of these locked payments. */
export async function queueFullRefunds(
  tx: Tx,
  payments: readonly PaymentRow[],
  reason: RefundRow['reason'],
  now: Date,
): Promise<void> {
  if (payments.length === 0) return
  await sql`
    with owed as (
      select * from unnest(
        ${payments.map(({ id }) => id)}::int[], ${payments.map(({ amount, refunded }) => amount - refunded)}::int[]
      ) as o (id, rest)
    ),
    given as (update payments p set refunded = p.refunded + owed.rest from owed where p.id = owed.id)
    insert into refunds (payment_id, amount, reason, run_at, created_at)
    select id, rest, ${reason}, ${now}, ${now} from owed order by id
  `.execute(tx)
}

/** A request for a refund: the same key is the same request. */
export interface RefundRequest {
  key: string
  /** Minor unit; 0 for all that is left. */
  amount: number
}

interface NewRefund {
  /** Minor unit. */
  amount: number
  reason: RefundRow['reason']
  /** The request of staff; null when the server itself decided. */
  request?: RefundRequest | null
}

/** Refunds that somebody has made by hand: Stripe is not asked for them. */
const byHand: readonly RefundRow['reason'][] = ['by hand', 'taken back']

/**
 * Queues a refund, or records one that was made by hand; returns its id. The database refuses more than was paid (`payments_refunded`).
 */
export async function queueRefund(
  tx: Tx,
  payment: Pick<PaymentRow, 'id'>,
  { amount, reason, request = null }: NewRefund,
  now: Date,
): Promise<number> {
  await tx
    .updateTable('payments')
    .set((eb) => ({ refunded: eb('refunded', '+', amount) }))
    .where('id', '=', payment.id)
    .execute()
  const asked = { requestKey: request?.key ?? null, requestAmount: request?.amount ?? null }
  const status = byHand.includes(reason) ? ('done' as const) : ('queued' as const)
  const row = { paymentId: payment.id, amount, reason, status, ...asked, runAt: now, createdAt: now }
  return (await tx.insertInto('refunds').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** The amount that an earlier request with this key asked for, itself null if not recorded; null when there was no such request. */
export async function findRefundRequest(tx: Tx, key: string): Promise<{ amount: number | null } | null> {
  const row = await tx
    .selectFrom('refunds')
    .select('requestAmount as amount')
    .where('requestKey', '=', key)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Records what was refunded at Stripe itself of payments that were paid together, beyond what we asked for. Stripe does not say for whom: it
 * is booked on the one whose rest it is exactly, else from the first one on. Returns the refunds; none when there is nothing new.
 */
export async function storeRefunded(tx: Tx, parts: readonly PaymentRow[], inAll: number, now: Date) {
  let rest = inAll - parts.reduce((sum, { refunded }) => sum + refunded, 0)
  const made: { id: number; part: PaymentRow; amount: number }[] = []
  const isExact = (part: PaymentRow) => part.amount - part.refunded === rest
  for (const part of parts.some(isExact) ? parts.filter(isExact) : parts) {
    const amount = Math.min(rest, part.amount - part.refunded)
    if (amount <= 0) continue
    const id = await queueRefund(tx, part, { amount, reason: 'at Stripe' }, now)
    await markRefundDone(tx, id, null)
    made.push({ id, part, amount })
    rest -= amount
  }
  return made
}

/** The refunds for a registration that go to a card, latest first; without those that Stripe refused. */
export async function findRefundsOf(db: Db, registrationId: number): Promise<FoundRefund[]> {
  return findRefunds(db, sql`p.registration_id = ${registrationId}`)
}

/** This refund, and for the contact of an order also those that were made with it of the same payment; without those that Stripe refused. */
export async function findRefundsMadeWith(db: Db, refundId: number, registrationId: number): Promise<FoundRefund[]> {
  return findRefunds(
    db,
    sql`(f.id = ${refundId} or exists (
      select from refunds told join payments q on q.id = told.payment_id join registrations r on r.id = ${registrationId}
      where told.id = ${refundId} and r.order_id = r.id and told.created_at = f.created_at
        and coalesce(q.lead_id, q.id) = coalesce(p.lead_id, p.id)
    ))`,
  )
}

/** A refund, and for whom it was paid. */
export interface FoundRefund
  extends Pick<RefundRow, 'amount' | 'reason'>,
    Pick<PaymentRow, 'currency' | 'registrationId'> {
  /** Of the registration. */
  name: string
}

async function findRefunds(db: Db, which: RawBuilder<unknown>) {
  const { rows } = await sql<FoundRefund>`
    select f.amount, f.reason, p.currency, p.registration_id, coalesce(r.name, '') as name
    from refunds f join payments p on p.id = f.payment_id left join registrations r on r.id = p.registration_id
    where ${which} and f.status <> 'failed' and p.taken_as is null
    order by f.id desc
  `.execute(db)
  return rows
}

/** Claims refunds that are due. */
export async function claimRefunds(
  db: Db,
  { now, leaseMs, limit }: Claim,
): Promise<(RefundRow & { paymentIntent: string | null })[]> {
  const lockedUntil = new Date(now.getTime() + leaseMs)
  const rows = await db
    .updateTable('refunds')
    .set((eb) => ({ lockedUntil, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('refunds')
        .select('id')
        .where('status', '=', 'queued')
        .where(isDue('runAt', now, LONGEST_REFUND_GAP_MS))
        .where((or) => or.or([or('lockedUntil', 'is', null), isDue('lockedUntil', now, leaseMs)]))
        .orderBy('runAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
  if (rows.length === 0) return []
  // A part was paid with its lead.
  const payments = await db
    .selectFrom('payments')
    .leftJoin('payments as lead', 'lead.id', 'payments.leadId')
    .select(({ fn }) => [
      'payments.id',
      fn.coalesce('lead.paymentIntent', 'payments.paymentIntent').as('paymentIntent'),
    ])
    .where(
      'payments.id',
      'in',
      rows.map(({ paymentId }) => paymentId),
    )
    .execute()
  return rows.map((row) => ({
    ...row,
    paymentIntent: payments.find(({ id }) => id === row.paymentId)?.paymentIntent ?? null,
  }))
}

export async function markRefundDone(db: Db, id: number, stripeId: string | null): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ status: 'done', stripeId, lockedUntil: null, lastError: null })
    .where('id', '=', id)
    .execute()
}

/** Records a failed try that will be repeated, and whether Stripe itself refused it. */
export async function markRefundTry(
  db: Db,
  id: number,
  { lastError, runAt, isRefused }: { lastError: string; runAt: Date; isRefused: boolean },
): Promise<void> {
  await db
    .updateTable('refunds')
    .set((eb) => ({ lastError, lockedUntil: null, runAt, refusals: eb('refusals', '+', isRefused ? 1 : 0) }))
    .where('id', '=', id)
    .execute()
}

/** The payments for an event. */
export const ofEvent = (eventId: number): RawBuilder<unknown> => sql`p.event_id = ${eventId}`

/** The payments of a club for events that are no longer there. */
export const ofRemovedEvents = (clubId: number): RawBuilder<unknown> => sql`p.club_id = ${clubId}
  and not exists (select from events e where e.id = p.event_id and e.removed_at is null)`

/** Has Stripe asked again for all refunds of these payments that wait for staff. Returns how many they are. */
export async function retryRefunds(tx: Tx, payments: RawBuilder<unknown>, now: Date): Promise<number> {
  const waiting = await sql`
    update refunds f set run_at = ${now} from payments p
    where p.id = f.payment_id and ${payments} and ${isStuck}
  `.execute(tx)
  const { rows } = await sql<{ id: number; rest: number; reason: RefundRow['reason'] }>`
    select p.id, least(f.amount, p.amount - p.refunded) as rest, f.reason
    from payments p join refunds f on f.payment_id = p.id
    where ${payments} and ${isOwed}
    order by p.id for update of p
  `.execute(tx)
  for (const { id, rest, reason } of rows) await queueRefund(tx, { id }, { amount: rest, reason }, now)
  return Number(waiting.numAffectedRows ?? 0) + rows.length
}

/** Stripe does not make the refund: the money counts as not given back again, and waits for staff. */
export async function markRefundFailed(tx: Tx, id: number, lastError: string): Promise<void> {
  // The event first, as everywhere: its income is counted by rows that others change in another order.
  const of = await tx
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select('payments.eventId')
    .where('refunds.id', '=', id)
    .executeTakeFirst()
  if (of && of.eventId !== null) await lockEvent(tx, of.eventId)
  const row = await tx
    .updateTable('refunds')
    .set({ status: 'failed', lastError, lockedUntil: null })
    .where('id', '=', id)
    .where('status', '<>', 'failed')
    .returning(['paymentId', 'amount'])
    .executeTakeFirst()
  if (!row) return
  await tx
    .updateTable('payments')
    .set((eb) => ({ refunded: eb('refunded', '-', row.amount) }))
    .where('id', '=', row.paymentId)
    .execute()
}

export async function findRefundByStripeId(tx: Tx, stripeId: string): Promise<RefundRow | undefined> {
  return tx.selectFrom('refunds').selectAll().where('stripeId', '=', stripeId).executeTakeFirst()
}
