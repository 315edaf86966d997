import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Checkout } from '../../contract/payments.ts'
import { disputesOver } from '../../contract/payments.ts'
import type { PaymentSummary } from '../../contract/registrations.ts'
import { isDue } from '../db/is-due.ts'
import type { Db, PaymentRow, RegistrationRow, Schema, Tx } from '../db/schema.ts'
import type { StripeFacts } from '../db/tables/payments.ts'
import { ASK_BANK_EVERY_MS } from '../limits/rules.ts'
import { canRefund } from './failed-refund-queries.ts'
import { SESSION_MS } from './hold.ts'

/** The payments that are paid with one session: the lead and its parts. */
const isPaidWith = (leadId: number) => sql<boolean>`(id = ${leadId} or lead_id = ${leadId})`
const isLive = sql<boolean>`status in ('starting', 'open')`

/**
 * Adds the payments of these registrations, of which those of one list are paid together, with the first one's as the lead; what costs
 * nothing has none. Their sessions are opened after the transaction.
 */
export async function insertPayments(
  tx: Tx,
  together: readonly (readonly RegistrationRow[])[],
  isEmbedded: boolean,
  now: Date,
): Promise<void> {
  interface Place {
    leadId: number | null
    isOrder: boolean
  }
  const toRow = ({ id, clubId, eventId, amount, currency }: RegistrationRow, { leadId, isOrder }: Place) => ({
    key: randomUUID(),
    leadId,
    isOrder,
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
    askAt: leadId === null ? new Date(now.getTime() + SESSION_MS) : null,
  })
  const orders = together.flatMap((registrations) => {
    const [first, ...others] = registrations.filter(({ amount }) => amount > 0)
    return first ? [{ first, others, isOrder: registrations.length > 1 }] : []
  })
  if (orders.length === 0) return
  const leads = await tx
    .insertInto('payments')
    .values(orders.map(({ first, isOrder }) => toRow(first, { leadId: null, isOrder })))
    .returning(['id', 'registrationId'])
    .execute()
  const leadOf = new Map(leads.map(({ id, registrationId }) => [registrationId, id]))
  const parts = orders.flatMap(({ first, others, isOrder }) =>
    others.map((other) => toRow(other, { leadId: leadOf.get(first.id) ?? null, isOrder })),
  )
  if (parts.length > 0) await tx.insertInto('payments').values(parts).execute()
}

/** The payment with which these registrations can still be paid. */
export async function findLivePayment(db: Db, registrationIds: readonly number[]): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where(isLive)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .select(({ fn }) => fn.coalesce('leadId', 'id').as('id'))
        .where('registrationId', '=', sql<number>`any(${registrationIds}::int[])`)
        .where(isLive),
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** A payment with its parts, from the lead. */
export async function findParts(db: Db, leadId: number): Promise<PaymentRow[]> {
  return db.selectFrom('payments').selectAll().where(isPaidWith(leadId)).orderBy('id').execute()
}

/** The same, locked until the transaction ends. */
export async function lockParts(tx: Tx, leadId: number): Promise<PaymentRow[]> {
  return tx.selectFrom('payments').selectAll().where(isPaidWith(leadId)).orderBy('id').forUpdate().execute()
}

/** Whether each registration that a session is for still waits to be paid, and the page of their order is still there. */
export async function isAwaited(db: Db, leadId: number): Promise<boolean> {
  const { rows } = await sql`
    select from payments p left join registrations r on r.id = p.registration_id and r.status = 'pending'
      and exists (select from events e where e.id = r.event_id and e.removed_at is null)
    where (p.id = ${leadId} or p.lead_id = ${leadId}) and (
      r.id is null or p.is_order and not exists (select from registrations contact where contact.id = r.order_id)
    )
  `.execute(db)
  return rows.length === 0
}

export async function findPaymentBySession(db: Db, sessionId: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where('sessionId', '=', sessionId).executeTakeFirst()
}

export async function findPaymentByIntent(db: Db, paymentIntent: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where('paymentIntent', '=', paymentIntent).executeTakeFirst()
}

/** The payment with this key, which its session's metadata contains. */
export async function findPaymentByKey(db: Db, key: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where(sql<string>`key::text`, '=', key).executeTakeFirst()
}

export async function lockPayment(tx: Tx, id: number): Promise<PaymentRow> {
  return tx.selectFrom('payments').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
}

/**
 * The payments for these registrations with money left to give back, locked, in the order of their ids. `bank`: without those taken at
 * the door, which no bank can give back.
 */
export async function lockMoneyLeft(
  tx: Tx,
  registrationIds: readonly number[],
  which: 'all' | 'bank',
): Promise<PaymentRow[]> {
  return tx
    .selectFrom('payments')
    .selectAll()
    .where('registrationId', '=', sql<number>`any(${registrationIds}::int[])`)
    .where('status', '=', 'paid')
    .whereRef('refunded', '<', 'amount')
    .where(canRefund)
    .$if(which === 'bank', (query) => query.where('takenAs', 'is', null))
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Stores the request to Stripe; returns it, or the one stored before, or undefined when the payment is over. */
export async function storeRequest(db: Db, id: number, request: unknown): Promise<unknown> {
  const { rows } = await sql<{ request: unknown }>`
    update payments set request = coalesce(request, ${JSON.stringify(request)}::jsonb)
    where id = ${id} and (status = 'starting' or request is not null) returning request
  `.execute(db)
  return rows[0]?.request
}

/** Notes the session that was opened. Where the payment was ended meanwhile, Stripe is to be asked to end the session too. */
export async function storeSession(
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

/** Whether Stripe may be asked about the session for a visitor; notes that it is. Of concurrent callers one may. */
export async function claimForPolling(db: Db, id: number, now: Date): Promise<boolean> {
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

/** Marks that the session can no longer be paid; parts end with their lead. */
export async function endPayment(db: Kysely<Schema>, id: number): Promise<void> {
  await db
    .updateTable('payments')
    .set({ status: 'ended', askAt: null, request: null, way: null })
    .where('id', '=', id)
    .where('status', '<>', 'paid')
    .execute()
}

/**
 * Stripe failed on it: the visitor gets another session, under another key. Whether this one was opened is asked again in the background,
 * so that it can be ended.
 */
export async function endUnanswered(db: Db, id: number, askAt: Date): Promise<void> {
  await db
    .updateTable('payments')
    .set({ status: 'ended', askAt })
    .where('id', '=', id)
    .where('status', 'in', ['starting', 'ended'])
    .where('sessionId', 'is', null)
    .execute()
}

/**
 * Notes the payment, and with it that of its parts; where the amount is not what was asked for, the lead's alone, with all that Stripe took.
 * They must be locked.
 */
export async function markPaid(
  tx: Tx,
  id: number,
  { paymentIntent, sessionId, amount, currency }: Extract<StripeFacts, { kind: 'paid' }>,
  now: Date,
  isRight: boolean,
): Promise<void> {
  const over = { askAt: null, request: null, way: null }
  const paid = { ...over, status: 'paid' as const, paidAt: now }
  // Says that this server knows orders: see migration 038.
  await sql`select set_config('turnout.orders', 'on', true)`.execute(tx)
  await tx
    .updateTable('payments')
    .set(isRight ? paid : { ...over, status: 'ended' })
    .where('leadId', '=', id)
    .execute()
  await tx
    .updateTable('payments')
    .set({ ...paid, paymentIntent, sessionId, ...(!isRight && { amount, currency }) })
    .where('id', '=', id)
    .execute()
}

/** A dispute is about all that was paid together. A closed one stays closed, whatever comes late. */
export async function storeDispute(tx: Tx, leadId: number, dispute: string): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ dispute })
    .where(isPaidWith(leadId))
    .where((eb) => eb.or([eb('dispute', 'is', null), eb('dispute', 'not in', disputesOver)]))
    .execute()
}

/** The payment summary of a registration; null when nothing was paid. */
export async function findSummary(db: Db, registrationId: number): Promise<PaymentSummary | null> {
  return (await findSummaries(db, [registrationId])).get(registrationId) ?? null
}

/** The payment summaries of those of these registrations for which something was paid. */
export async function findSummaries(db: Db, registrationIds: readonly number[]): Promise<Map<number, PaymentSummary>> {
  if (registrationIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('payments')
    .select(({ fn }) => [
      'registrationId',
      fn.sum<number>('amount').as('paid'),
      fn.sum<number>('refunded').as('refunded'),
      sql<number>`coalesce(sum(amount - refunded) filter (where dispute = 'lost'), 0)`.as('lost'),
      fn.max('currency').as('currency'),
      fn.max('paidAt').as('paidAt'),
      fn.max('dispute').as('dispute'),
      sql<number>`coalesce(sum(amount) filter (where taken_as in ('cash', 'terminal')), 0)`.as('atDoor'),
      sql<number>`coalesce(sum(amount - refunded) filter (where taken_as is not null), 0)`.as('atDoorLeft'),
    ])
    .where('registrationId', '=', sql<number>`any(${registrationIds}::int[])`)
    .where('status', '=', 'paid')
    .groupBy('registrationId')
    .execute()
  return new Map(
    rows.flatMap(({ registrationId, paid, refunded, lost, currency, paidAt, dispute, atDoor, atDoorLeft }) =>
      registrationId === null || !paidAt
        ? []
        : [[registrationId, { paid, refunded, lost, currency, paidAt, dispute, atDoor, atDoorLeft }]],
    ),
  )
}

/** Whether money that was paid for a registration is not given back, or not yet. */
export async function isMoneyUnderWay(tx: Tx, registrationId: number): Promise<boolean> {
  const { rows } = await sql`
    select from payments p where p.registration_id = ${registrationId} and p.status = 'paid' and (
      p.refunded < p.amount or exists (select from refunds f where f.payment_id = p.id and f.status = 'queued')
    )
  `.execute(tx)
  return rows.length > 0
}

/** Whether an event has money that is neither given back nor queued to be. */
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

/** The same for a club. What was paid for an event that took place is the club's own. */
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

/** Has Stripe asked at once to end every session that could still be paid for an event, or for a club. */
export async function closeSessionsOf(tx: Tx, column: 'eventId' | 'clubId', id: number, now: Date): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ askAt: now })
    .where(column, '=', id)
    .where('leadId', 'is', null)
    .where(isLive)
    .execute()
}

/** Has Stripe asked at once to end the session of a registration that was paid at the door, and so of those to be paid with it. */
export async function closeSession(tx: Tx, registrationId: number, now: Date): Promise<void> {
  const live = await findLivePayment(tx, [registrationId])
  if (live) await tx.updateTable('payments').set({ askAt: now }).where('id', '=', live.id).execute()
}

export interface Claim {
  now: Date
  /** For how long no other worker takes them. */
  leaseMs: number
  limit: number
}

/** Claims payments about which Stripe is to be asked. */
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
        .where('leadId', 'is', null)
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

/** Schedules the next query to Stripe; none when it has answered and the payment's outcome is known by then. */
export async function reschedule(db: Db, id: number, askAt: Date, isAnswered: boolean): Promise<void> {
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
