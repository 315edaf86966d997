import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Checkout } from '../../contract/payments.ts'
import type { PaymentSummary } from '../../contract/registrations.ts'
import type { Db, PaymentRow, RefundRow, RegistrationRow, Schema, StripeFacts, Tx } from '../db/schema.ts'
import { ASK_BANK_EVERY_MS } from '../limits/rules.ts'
import { SESSION_MS } from './hold.ts'

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

/** What was paid for a registration and is not given back, by payment; locked. */
export async function lockPaid(tx: Tx, registrationId: number): Promise<PaymentRow[]> {
  return tx
    .selectFrom('payments')
    .selectAll()
    .where('registrationId', '=', registrationId)
    .where('status', '=', 'paid')
    .orderBy('id')
    .forUpdate()
    .execute()
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

/** The live sessions of a registration are of no use any more: Stripe is to be asked to end them. */
export async function closeSessions(tx: Tx, registrationId: number, now: Date): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ askAt: now })
    .where('registrationId', '=', registrationId)
    .where('status', 'in', ['starting', 'open'])
    .execute()
}

/** Queues money to be given back; answers the refund's id. The database refuses more than was paid (`payments_refunded`). */
export async function queueRefund(
  tx: Tx,
  payment: Pick<PaymentRow, 'id'>,
  amount: number,
  reason: RefundRow['reason'],
  now: Date,
  requestKey: string | null = null,
): Promise<number> {
  await tx
    .updateTable('payments')
    .set((eb) => ({ refunded: eb('refunded', '+', amount) }))
    .where('id', '=', payment.id)
    .execute()
  const row = { paymentId: payment.id, amount, reason, requestKey, runAt: now, createdAt: now }
  return (await tx.insertInto('refunds').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** Whether a request with this key has asked for money before. */
export async function isAskedFor(tx: Tx, requestKey: string): Promise<boolean> {
  const row = await tx.selectFrom('refunds').select('id').where('requestKey', '=', requestKey).executeTakeFirst()
  return row !== undefined
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
    .where((eb) => eb.or([eb('dispute', 'is', null), eb('dispute', 'not in', ['won', 'lost', 'warning_closed'])]))
    .execute()
}

/** What was paid for a registration; null when nothing was. */
export async function findSummary(db: Db, registrationId: number): Promise<PaymentSummary | null> {
  const row = await db
    .selectFrom('payments')
    .select(({ fn }) => [
      fn.sum<string>('amount').as('paid'),
      fn.sum<string>('refunded').as('refunded'),
      fn.max('currency').as('currency'),
      fn.max('paidAt').as('paidAt'),
      fn.max('dispute').as('dispute'),
    ])
    .where('registrationId', '=', registrationId)
    .where('status', '=', 'paid')
    .executeTakeFirst()
  if (!row?.paidAt || row.currency === null) return null
  const { currency, paidAt, dispute } = row
  return { paid: Number(row.paid), refunded: Number(row.refunded), currency, paidAt, dispute }
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

/** The paid registrations of an event with money that is not given back. */
export async function findPaidOfEvent(tx: Tx, eventId: number): Promise<PaymentRow[]> {
  return tx
    .selectFrom('payments')
    .innerJoin('registrations', 'registrations.id', 'payments.registrationId')
    .selectAll('payments')
    .where('registrations.eventId', '=', eventId)
    .where('payments.status', '=', 'paid')
    .whereRef('payments.refunded', '<', 'payments.amount')
    .forUpdate('payments')
    .execute()
}

/** Has Stripe asked to end every session that could still be paid for an event. */
export async function closeSessionsOfEvent(tx: Tx, eventId: number, now: Date): Promise<void> {
  await tx
    .updateTable('payments')
    .from('registrations')
    .set({ askAt: now })
    .whereRef('registrations.id', '=', 'payments.registrationId')
    .where('registrations.eventId', '=', eventId)
    .where('payments.status', 'in', ['starting', 'open'])
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
  lockedUntil: Date
  limit: number
}

/** Takes payments of which Stripe is to be asked. */
export async function claimToAsk(db: Db, { now, lockedUntil, limit }: Claim): Promise<PaymentRow[]> {
  return db
    .updateTable('payments')
    .set({ lockedUntil })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where('askAt', '<=', now)
        .where((or) => or.or([or('lockedUntil', 'is', null), or('lockedUntil', '<=', now)]))
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
  { now, lockedUntil, limit }: Claim,
): Promise<(RefundRow & { paymentIntent: string | null })[]> {
  const rows = await db
    .updateTable('refunds')
    .set((eb) => ({ lockedUntil, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('refunds')
        .select('id')
        .where('status', '=', 'queued')
        .where('runAt', '<=', now)
        .where((or) => or.or([or('lockedUntil', 'is', null), or('lockedUntil', '<=', now)]))
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

/** Notes a failed try after which there is another. */
export async function markRefundTry(db: Db, id: number, lastError: string, runAt: Date): Promise<void> {
  await db.updateTable('refunds').set({ lastError, lockedUntil: null, runAt }).where('id', '=', id).execute()
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

/** The longest due of Stripe's events, locked; undefined when none is that nobody else has. */
export async function takeStripeEvent(tx: Tx, now: Date) {
  return tx
    .selectFrom('stripeEvents')
    .selectAll()
    .where('handledAt', 'is', null)
    .where('runAt', '<=', now)
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

export async function markEventHandled(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('stripeEvents').set({ handledAt: now }).where('id', '=', id).execute()
}
