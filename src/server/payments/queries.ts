import { randomUUID } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Checkout } from '../../contract/payments.ts'
import { disputesOver } from '../../contract/payments.ts'
import type { PaymentSummary } from '../../contract/registrations.ts'
import { isDue } from '../db/is-due.ts'
import type { Db, PaymentRow, RefundRow, RegistrationRow, Schema, StripeFacts, Tx } from '../db/schema.ts'
import { ASK_BANK_EVERY_MS } from '../limits/rules.ts'
import { canGiveBack, isOwed, isStuck } from './failed-refund-queries.ts'
import { LONGEST_EVENT_GAP_MS, LONGEST_REFUND_GAP_MS, SESSION_MS } from './hold.ts'

/** Writes that these registrations are to be paid. Their sessions are opened after the transaction. */
export async function insertPayments(
  tx: Tx,
  registrations: readonly RegistrationRow[],
  isEmbedded: boolean,
  now: Date,
): Promise<void> {
  if (registrations.length === 0) return
  await tx
    .insertInto('payments')
    .values(
      registrations.map(({ id, clubId, eventId, amount, currency }) => ({
        key: randomUUID(),
        clubId,
        eventId,
        registrationId: id,
        isEmbedded,
        status: 'starting' as const,
        amount,
        currency,
        createdAt: now,
        // To the second, as Stripe counts it.
        expiresAt: new Date(Math.floor((now.getTime() + SESSION_MS) / 1000) * 1000),
        askAt: new Date(now.getTime() + SESSION_MS),
      })),
    )
    .execute()
}

/** The payment of a registration that can still be paid. */
export async function findLivePayment(db: Db, registrationId: number): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('registrationId', '=', registrationId)
    .where('status', 'in', ['starting', 'open'])
    .executeTakeFirst()
}

export async function findPaymentBySession(db: Db, sessionId: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where('sessionId', '=', sessionId).executeTakeFirst()
}

export async function findPaymentByIntent(db: Db, paymentIntent: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where('paymentIntent', '=', paymentIntent).executeTakeFirst()
}

/** The payment with this key, which is what its session's metadata says. */
export async function findPaymentByKey(db: Db, key: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where(sql<string>`key::text`, '=', key).executeTakeFirst()
}

export async function lockPayment(tx: Tx, id: number): Promise<PaymentRow> {
  return tx.selectFrom('payments').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
}

/** The payments for these registrations of which there is money to give back, locked, in the order of their ids. */
export async function lockMoneyLeft(tx: Tx, registrationIds: readonly number[]): Promise<PaymentRow[]> {
  return tx
    .selectFrom('payments')
    .selectAll()
    .where('registrationId', '=', sql<number>`any(${registrationIds}::int[])`)
    .where('status', '=', 'paid')
    .whereRef('refunded', '<', 'amount')
    .where(canGiveBack)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Queues all that is left of these locked payments to be given back. */
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

/** Keeps what Stripe is about to be asked for; answers it, or what was kept before, or undefined when the payment is over. */
export async function keepRequest(db: Db, id: number, request: unknown): Promise<unknown> {
  const { rows } = await sql<{ request: unknown }>`
    update payments set request = coalesce(request, ${JSON.stringify(request)}::jsonb)
    where id = ${id} and (status = 'starting' or request is not null) returning request
  `.execute(db)
  return rows[0]?.request
}

/** Notes the session that was opened. Where the payment was ended meanwhile, Stripe is to be asked to end the session too. */
export async function noteSession(
  db: Db,
  id: number,
  { sessionId, way, askAt }: { sessionId: string; way: Checkout; askAt: Date },
  now: Date,
): Promise<void> {
  await sql`
    update payments set session_id = ${sessionId}, request = null, way = ${JSON.stringify(way)}::jsonb,
      ask_at = case when status = 'starting' then ${askAt}::timestamptz else ${now}::timestamptz end,
      status = case when status = 'starting' then 'open' else status end
    where id = ${id} and session_id is null
  `.execute(db)
}

/** Whether Stripe may be asked about the session for a visitor; notes that it is. Of many at once one may. */
export async function mayAsk(db: Db, id: number, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('payments')
    .set({ askedAt: now })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('askedAt', 'is', null),
        eb('askedAt', '<=', new Date(now.getTime() - ASK_BANK_EVERY_MS)),
        // A clock was set back.
        eb('askedAt', '>', now),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The session can no longer be paid. */
export async function endPayment(db: Kysely<Schema>, id: number): Promise<void> {
  await db
    .updateTable('payments')
    .set({ status: 'ended', askAt: null, request: null, way: null })
    .where('id', '=', id)
    .where('status', '<>', 'paid')
    .execute()
}

/**
 * Stripe broke over it: the visitor gets another session, under another key. Whether this one was opened is asked again in the
 * background, so that it can be ended.
 */
export async function endUnheard(db: Db, id: number, askAt: Date): Promise<void> {
  await db
    .updateTable('payments')
    .set({ status: 'ended', askAt })
    .where('id', '=', id)
    .where('status', 'in', ['starting', 'ended'])
    .where('sessionId', 'is', null)
    .execute()
}

/** Notes the payment. The amount is what Stripe took. */
export async function markPaid(
  tx: Tx,
  id: number,
  { paymentIntent, amount, sessionId }: Extract<StripeFacts, { kind: 'paid' }>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ status: 'paid', paidAt: now, paymentIntent, amount, sessionId, askAt: null, request: null, way: null })
    .where('id', '=', id)
    .execute()
}

/** A request for money to be given back: the same key is the same request. */
export interface RefundRequest {
  key: string
  /** Minor unit; 0 for all that is left. */
  amount: number
}

/** Queues money to be given back; answers the refund's id. The database refuses more than was paid (`payments_refunded`). */
export async function queueRefund(
  tx: Tx,
  payment: Pick<PaymentRow, 'id'>,
  amount: number,
  reason: RefundRow['reason'],
  now: Date,
  request: RefundRequest | null = null,
): Promise<number> {
  await tx
    .updateTable('payments')
    .set((eb) => ({ refunded: eb('refunded', '+', amount) }))
    .where('id', '=', payment.id)
    .execute()
  const asked = { requestKey: request?.key ?? null, requestAmount: request?.amount ?? null }
  const row = { paymentId: payment.id, amount, reason, ...asked, runAt: now, createdAt: now }
  return (await tx.insertInto('refunds').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** What an earlier request with this key asked for, which is null where it was not kept; null when there was none. */
export async function findRefundRequest(tx: Tx, key: string): Promise<{ amount: number | null } | null> {
  const row = await tx
    .selectFrom('refunds')
    .select('requestAmount as amount')
    .where('requestKey', '=', key)
    .executeTakeFirst()
  return row ?? null
}

/** Notes what was given back at Stripe itself beyond what we asked for; answers the refund, or null when we knew as much. */
export async function noteRefunded(tx: Tx, payment: PaymentRow, inAll: number, now: Date): Promise<number | null> {
  const amount = Math.min(inAll, payment.amount) - payment.refunded
  if (amount <= 0) return null
  const id = await queueRefund(tx, payment, amount, 'at Stripe', now)
  await markRefundDone(tx, id, null)
  return id
}

/** A dispute that is decided stays so, whatever comes late. */
export async function noteDispute(tx: Tx, paymentId: number, dispute: string): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ dispute })
    .where('id', '=', paymentId)
    .where((eb) => eb.or([eb('dispute', 'is', null), eb('dispute', 'not in', disputesOver)]))
    .execute()
}

/** What was paid for a registration; null when nothing was. */
export async function findSummary(db: Db, registrationId: number): Promise<PaymentSummary | null> {
  return (await findSummaries(db, [registrationId])).get(registrationId) ?? null
}

/** What was paid for each of these registrations for which something was. */
export async function findSummaries(db: Db, registrationIds: readonly number[]): Promise<Map<number, PaymentSummary>> {
  const rows = await db
    .selectFrom('payments')
    .select(({ fn }) => [
      'registrationId',
      fn.sum<string>('amount').as('paid'),
      fn.sum<string>('refunded').as('refunded'),
      sql<string>`coalesce(sum(amount - refunded) filter (where dispute = 'lost'), 0)`.as('lost'),
      fn.max('currency').as('currency'),
      fn.max('paidAt').as('paidAt'),
      fn.max('dispute').as('dispute'),
    ])
    .where('registrationId', '=', sql<number>`any(${registrationIds}::int[])`)
    .where('status', '=', 'paid')
    .groupBy('registrationId')
    .execute()
  return new Map(
    rows.flatMap(({ registrationId, paid, refunded, lost, paidAt, ...rest }) => {
      if (registrationId === null || !paidAt) return []
      return [[registrationId, { paid: Number(paid), refunded: Number(refunded), lost: Number(lost), paidAt, ...rest }]]
    }),
  )
}

/** Whether something that was paid for a registration is not given back, or not yet. */
export async function isMoneyUnderWay(tx: Tx, registrationId: number): Promise<boolean> {
  const { rows } = await sql`
    select from payments p where p.registration_id = ${registrationId} and p.status = 'paid' and (
      p.refunded < p.amount or exists (select from refunds f where f.payment_id = p.id and f.status = 'queued')
    )
  `.execute(tx)
  return rows.length > 0
}

/** Money of an event that is neither given back nor queued to be. */
export async function hasMoney(tx: Tx, eventId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('payments')
    .innerJoin('registrations', 'registrations.id', 'payments.registrationId')
    .select('payments.id')
    .where('registrations.eventId', '=', eventId)
    .where('payments.status', '=', 'paid')
    .whereRef('payments.refunded', '<', 'payments.amount')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether money of an event is open: paid and not given back, or still on its way back. What the bank has taken in a dispute can never
 * be given back.
 */
export async function isMoneyOpen(tx: Tx, eventId: number): Promise<boolean> {
  const { rows } = await sql`select from payments p where p.event_id = ${eventId} and ${isOpen} limit 1`.execute(tx)
  return rows.length > 0
}

/** The same of a club. What was paid for an event that took place is the club's own. */
export async function isMoneyOfClubOpen(tx: Tx, clubId: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from payments p left join events e on e.id = p.event_id where p.club_id = ${clubId} and ${isOpen} and (
      e.id is null or e.status <> 'published' or e.ends_at > ${now} or ${isOnItsWayBack}
    ) limit 1
  `.execute(tx)
  return rows.length > 0
}

const isOnItsWayBack = sql`exists (select from refunds f where f.payment_id = p.id and f.status = 'queued')`
const isOpen = sql`p.status = 'paid' and (
  (p.refunded < p.amount and p.dispute is distinct from 'lost') or ${isOnItsWayBack}
)`

/** Has Stripe asked to end every session that could still be paid for an event, or for a club. */
export async function closeSessionsOf(tx: Tx, column: 'eventId' | 'clubId', id: number, now: Date): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ askAt: now })
    .where(column, '=', id)
    .where('status', 'in', ['starting', 'open'])
    .execute()
}

/** The latest money given back for a registration first, or this refund alone; not what Stripe refused. */
export async function findRefundsOf(db: Db, registrationId: number, refundId: number | null) {
  return db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select(['refunds.amount', 'refunds.reason', 'payments.currency'])
    .where('payments.registrationId', '=', registrationId)
    .where('refunds.status', '<>', 'failed')
    .$if(refundId !== null, (query) => query.where('refunds.id', '=', refundId))
    .orderBy('refunds.id', 'desc')
    .execute()
}

interface Claim {
  now: Date
  /** For how long no other worker takes them. */
  leaseMs: number
  limit: number
}

/** Takes payments of which Stripe is to be asked. */
export async function claimToAsk(db: Db, { now, leaseMs, limit }: Claim): Promise<PaymentRow[]> {
  const lockedUntil = new Date(now.getTime() + leaseMs)
  return db
    .updateTable('payments')
    .set({ lockedUntil })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where('askAt', 'is not', null)
        .where(isDue('askAt', now, SESSION_MS))
        .where((or) => or.or([or('lockedUntil', 'is', null), isDue('lockedUntil', now, leaseMs)]))
        .orderBy('askAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
}

/** Has Stripe asked again later; what is known by then, and was answered, is asked no more. */
export async function askAgain(db: Db, id: number, askAt: Date, isAnswered: boolean): Promise<void> {
  await db
    .updateTable('payments')
    .set({
      lockedUntil: null,
      askAt: isAnswered
        ? sql<Date | null>`case when status in ('starting', 'open') then ${askAt}::timestamptz end`
        : askAt,
    })
    .where('id', '=', id)
    .execute()
}

/** Takes refunds that are due. */
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
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'paymentIntent'])
    .where(
      'id',
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

/** Notes a failed try after which there is another, and whether Stripe itself refused it. */
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

/**
 * Has Stripe asked again for all refunds of these payments that wait for staff. Answers how many they are.
 */
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
  for (const { id, rest, reason } of rows) await queueRefund(tx, { id }, rest, reason, now)
  return Number(waiting.numAffectedRows ?? 0) + rows.length
}

/** Stripe does not give it back: the money counts as not given back again, and waits for staff. */
export async function markRefundFailed(tx: Tx, id: number, lastError: string): Promise<void> {
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

/** Keeps what Stripe told; false when it had told it before. */
export async function insertStripeEvent(db: Db, id: string, facts: StripeFacts, now: Date): Promise<boolean> {
  const row = await db
    .insertInto('stripeEvents')
    .values({ id, body: JSON.stringify(facts), receivedAt: now, runAt: now, handledAt: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The longest due of Stripe's events (or this one, due or not), locked; undefined when none is that nobody else has. */
export async function takeStripeEvent(tx: Tx, now: Date, id: string | null) {
  return tx
    .selectFrom('stripeEvents')
    .selectAll()
    .where('handledAt', 'is', null)
    .where(id === null ? isDue('runAt', now, LONGEST_EVENT_GAP_MS) : sql<boolean>`id = ${id}`)
    .orderBy('runAt')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Puts an event off, so that it does not keep those behind it waiting. */
export async function postponeEvent(db: Db, id: string, runAt: Date): Promise<void> {
  await db
    .updateTable('stripeEvents')
    .set((eb) => ({ runAt, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/**
 * Has what Stripe told of a payment, before the payment was known, acted on at once. Those that somebody acts on at this moment are
 * passed over: waiting for them would be waiting in a circle.
 */
export async function wakeEventsOf(tx: Tx, paymentIntent: string, now: Date): Promise<void> {
  await sql`
    update stripe_events set run_at = ${now} where id in (
      select id from stripe_events where handled_at is null and body ->> 'paymentIntent' = ${paymentIntent}
      for update skip locked
    )
  `.execute(tx)
}

export async function markEventHandled(tx: Db, id: string, now: Date): Promise<void> {
  await tx.updateTable('stripeEvents').set({ handledAt: now }).where('id', '=', id).execute()
}
