import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { PaymentSummary } from '../../contract/registrations.ts'
import type { Db, PaymentRow, RefundRow, RegistrationRow, Schema, StripeFacts, Tx } from '../db/schema.ts'
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
      registrations.map(({ id, clubId, amount, currency }) => ({
        key: randomUUID(),
        clubId,
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

/** Keeps what Stripe is about to be asked for; answers it, or what was kept before. */
export async function keepRequest(db: Db, id: number, request: unknown): Promise<unknown> {
  const { rows } = await sql<{ request: unknown }>`
    update payments set request = coalesce(request, ${JSON.stringify(request)}::jsonb) where id = ${id} returning request
  `.execute(db)
  return rows[0]?.request
}

/** Notes the session that was opened; when another process has done so, its note stands. */
export async function noteSession(db: Db, id: number, sessionId: string, askAt: Date): Promise<void> {
  await db
    .updateTable('payments')
    .set({ status: 'open', sessionId, askAt, request: null })
    .where('id', '=', id)
    .where('status', '=', 'starting')
    .execute()
}

/** The session can no longer be paid. */
export async function endPayment(db: Kysely<Schema>, id: number): Promise<void> {
  await db
    .updateTable('payments')
    .set({ status: 'ended', askAt: null, request: null })
    .where('id', '=', id)
    .where('status', 'in', ['starting', 'open'])
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
    .set({ status: 'paid', paidAt: now, paymentIntent, amount, sessionId, askAt: null, request: null })
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

/** Queues money to be given back. The database refuses more than was paid (`payments_refunded`). */
export async function queueRefund(
  tx: Tx,
  payment: Pick<PaymentRow, 'id'>,
  amount: number,
  reason: RefundRow['reason'],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('payments')
    .set((eb) => ({ refunded: eb('refunded', '+', amount) }))
    .where('id', '=', payment.id)
    .execute()
  await tx.insertInto('refunds').values({ paymentId: payment.id, amount, reason, runAt: now, createdAt: now }).execute()
}

/** Notes what was given back at Stripe itself; null when we knew as much. */
export async function noteRefunded(tx: Tx, paymentId: number, amount: number): Promise<PaymentRow | null> {
  const row = await tx
    .updateTable('payments')
    .set({ refunded: sql<number>`least(amount, ${amount})` })
    .where('id', '=', paymentId)
    .where('refunded', '<', amount)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

export async function noteDispute(tx: Tx, paymentId: number, dispute: string): Promise<void> {
  await tx.updateTable('payments').set({ dispute }).where('id', '=', paymentId).execute()
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

/** The latest money given back for a registration, and all of it. */
export async function findRefundsOf(db: Db, registrationId: number) {
  return db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select(['refunds.amount', 'refunds.reason', 'refunds.status', 'refunds.createdAt', 'payments.currency'])
    .where('payments.registrationId', '=', registrationId)
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

/** Has Stripe asked again later; what is known by then is asked no more. */
export async function askAgain(db: Db, id: number, askAt: Date): Promise<void> {
  await db
    .updateTable('payments')
    .set({
      lockedUntil: null,
      askAt: sql<Date | null>`case when status in ('starting', 'open') then ${askAt}::timestamptz end`,
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

/** Notes a failed try: another at `nextTry`, or none. */
export async function markRefundTry(db: Db, id: number, lastError: string, nextTry: Date | null): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ lastError, lockedUntil: null, ...(nextTry ? { runAt: nextTry } : { status: 'failed' as const }) })
    .where('id', '=', id)
    .execute()
}

/** Keeps what Stripe told; false when it had told it before. */
export async function insertStripeEvent(db: Db, id: string, facts: StripeFacts, now: Date): Promise<boolean> {
  const row = await db
    .insertInto('stripeEvents')
    .values({ id, body: JSON.stringify(facts), receivedAt: now, handledAt: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The longest waiting of Stripe's events, locked; undefined when none waits that nobody else has. */
export async function takeStripeEvent(tx: Tx) {
  return tx
    .selectFrom('stripeEvents')
    .selectAll()
    .where('handledAt', 'is', null)
    .orderBy('receivedAt')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export async function markEventHandled(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('stripeEvents').set({ handledAt: now }).where('id', '=', id).execute()
}
