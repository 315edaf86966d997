import { randomUUID } from 'node:crypto'
import { Refusal } from '../../../contract/errors.ts'
import { refusalToRegister } from '../../../contract/event.ts'
import type { Registration } from '../../../contract/registrations.ts'
import { findMembers, type Members } from '../../club-members/use-members.ts'
import { type CodeUses, usesOf } from '../../codes/code-uses.ts'
import { findCodes } from '../../codes/queries.ts'
import { batch, LINGER_MS } from '../../db/batch.ts'
import { inRush } from '../../db/locks.ts'
import type { EventRow, RegistrationRow, Tx } from '../../db/schema.ts'
import { pipeline } from '../../db/statement.ts'
import { isAboutValues, isCollision, isLocked, toAlreadyRegistered } from '../../db/violations.ts'
import type { Deps } from '../../deps.ts'
import { findExtrasOf, insertPurchases } from '../../extras/queries.ts'
import { insertPayments } from '../../payments/payment-queries.ts'
import { findTooManyHolds, storeHolds } from '../../places/limits-of-holds.ts'
import { type Placing, placeOrder, placeRegistrations } from '../../places/place-queries.ts'
import { endedHolds, releaseEnded } from '../../places/release-queries.ts'
import { lockedEvents } from '../../places/seat-queries.ts'
import { toRegistration } from '../../records/registration-queries.ts'
import { questionsOf } from '../../records/shared-reads.ts'
import { ticketTypesOf } from '../../records/ticket-type-queries.ts'
import { soldOut } from '../../ticket-types/choose-ticket-type.ts'
import { registrationsWithKeys } from '../queries.ts'
import {
  type Checked,
  type CheckedPerson,
  check,
  type From,
  memberPath,
  type PaymentWay,
  type Request,
  toWaiting,
  type Waiting,
} from './check-request.ts'
import { refusalOfOrder } from './refusal-of-order.ts'
import { type Stock, stockOf } from './vouchers-wanted.ts'

type Outcome = RegistrationRow | Refusal
/** Each run holds a connection; the pool has more, so that everything else goes on. */
const RUNS_AT_ONCE = 8

/**
 * Makes the function that registers a visitor, alone or with companions. Those who ask at the same moment share one transaction, each with their own answer: a seat
 * with its ticket mail, or one held until it is paid, or a refusal (SOLD_OUT, VOUCHER_SOLD_OUT, ALREADY_REGISTERED, EMAIL_LIMIT,
 * TOO_MANY_HOLDS, why it is not open). Of an order, all get their seats or nobody does. Answers with the first registration.
 */
export function makeRegister({ db, now, stripe }: Deps): (request: Request, from: From) => Promise<Registration> {
  const payment = { isOn: stripe !== null, isEmbedded: stripe?.publishableKey !== null }
  const place = batch<Waiting, Outcome>(
    (requests) => db.transaction().execute((tx) => placeAll(tx, requests, now(), payment)),
    {
      most: 256,
      atOnce: RUNS_AT_ONCE,
      lingerMs: LINGER_MS,
      laneOf: ({ eventId }) => eventId,
      keysOf,
      isWorthSplitting: isAboutValues,
      isInTheWay: (error) => isLocked(error) || isCollision(error),
    },
  )
  return async (request, from) => {
    const outcome = await place(toWaiting(request, from)).catch((error: unknown) => {
      // Should two servers place the same person, the unique index lets one pass.
      throw toAlreadyRegistered(error)
    })
    if (outcome instanceof Refusal) throw outcome
    return toRegistration(outcome)
  }
}

async function placeAll(tx: Tx, requests: Waiting[], now: Date, payment: PaymentWay): Promise<Outcome[]> {
  const eventIds = unique(requests)
  // All statements after the lock read the state once the events are locked.
  const [, eventRows, ended, questions, types, sameKeys] = await pipeline(tx, [
    inRush(),
    lockedEvents(eventIds),
    endedHolds(eventIds, now),
    questionsOf(eventIds),
    ticketTypesOf(eventIds),
    registrationsWithKeys(requests.flatMap(pairOf)),
  ])
  const onSale = requests.some(wantsVouchers) ? await findExtrasOf(tx, eventIds) : []
  const events = new Map(eventRows.map((event) => [event.id, event]))
  const released = new Map((await releaseEnded(tx, ended, now)).map((row) => [row.id, row]))
  const codes = requests.some(({ code }) => code !== null) ? await findCodes(tx, requests.flatMap(codeIn)) : []
  const members = await findMembers(tx, requests.flatMap(membersIn))
  const earlier = new Map(sameKeys.map((row) => [keyOf(row.eventId, row.idempotencyKey), released.get(row.id) ?? row]))
  const checked = requests.map((request) => {
    const event = events.get(request.eventId)
    if (!event || event.clubId !== request.clubId) return new Refusal('NOT_FOUND')
    const asked = questions.filter(({ eventId }) => eventId === event.id)
    const sold = types.filter(({ eventId }) => eventId === event.id)
    return (
      earlyAnswer(request, event, earlier, now) ??
      check(request, { event, asked, sold, onSale, codes, members, payment, now })
    )
  })
  const refused = await findTooManyHolds(
    tx,
    checked.filter((answer) => 'wanted' in answer),
    now,
  )
  const answers = checked.map((answer) => ('wanted' in answer && refused.get(answer)) || answer)
  const toPlace = answers.filter((answer) => 'wanted' in answer)
  const left = { stock: stockOf(onSale), uses: usesOf(codes), members }
  const isFree = toPlace.every((each) => hasNothingBesides(each, left.uses))
  const placings = await placeInTurn(tx, toPlace, left, { now, isLast: isFree })
  if (!isFree) {
    const orders = savedOrders(placings)
    await storePurchases(tx, orders, payment, now)
    await storeHolds(
      tx,
      orders.flatMap((people) =>
        people.map(({ row, address }) => ({ row, address, email: people[0]?.row.email ?? row.email })),
      ),
    )
  }
  return answers.map((answer) => ('wanted' in answer ? outcomeOf(placings.get(answer), answer) : answer))
}

/** Whether nothing is to be stored for a request besides one registration. */
function hasNothingBesides({ wanted, amount, companions, codeId, member }: Checked, uses: CodeUses): boolean {
  return wanted.length === 0 && amount === 0 && companions.length === 0 && !uses.isLimited(codeId) && member === null
}

function wantsVouchers({ extrasIds, companions }: Waiting): boolean {
  return extrasIds.length > 0 || companions?.some((each) => each.extrasIds.length > 0) === true
}

/**
 * Requests without companions, members, and codes or vouchers of which there are only so many, go in one statement; the others one by one, so that an order that does not fit, or
 * a voucher or a code that is used up, takes no seat with it.
 */
async function placeInTurn(
  tx: Tx,
  toPlace: Checked[],
  { stock, uses, members }: { stock: Stock; uses: CodeUses; members: Members },
  { now, isLast }: { now: Date; isLast: boolean },
) {
  const placings = new Map<CheckedPerson, Placing | Refusal>()
  const isPlain = ({ wanted, companions, codeId, member }: Checked) =>
    companions.length === 0 && !uses.isLimited(codeId) && member === null && !stock.isLimited(wanted)
  const plain = toPlace.filter(isPlain)
  const placed = plain.length > 0 ? await placeRegistrations(tx, plain, now, { isLast }) : []
  for (const [index, request] of plain.entries()) placings.set(request, placed[index] ?? { outcome: 'sold out' })
  for (const request of toPlace.filter((each) => !isPlain(each))) {
    const people = [request, ...request.companions]
    const wanted = people.flatMap((person) => person.wanted)
    const refusal = stock.whyNot(wanted) ?? uses.whyNot(people) ?? members.whyNot(people, memberPath)
    const placed = refusal ? [refusal] : await placeTogether(tx, people, now)
    if (placed.length === people.length && placed.every(isSaved)) {
      stock.take(wanted)
      uses.take(people)
      members.take(people)
    }
    for (const [index, placing] of placed.entries()) placings.set(people[index] ?? request, placing)
  }
  return placings
}

/** The seats of all of them, or the refusal of the first. */
async function placeTogether(tx: Tx, people: readonly CheckedPerson[], now: Date): Promise<(Placing | Refusal)[]> {
  if (people.length === 1) return placeRegistrations(tx, people, now)
  const placing = await placeOrder(tx, people, randomUUID(), now)
  return placing.outcome === 'saved'
    ? placing.rows.map((row) => ({ outcome: 'saved', row }))
    : [refusalOfOrder(placing, people)]
}

function isSaved(placing: Placing | Refusal): placing is Extract<Placing, { outcome: 'saved' }> {
  return 'outcome' in placing && placing.outcome === 'saved'
}

/** Stores, for each seat given, the vouchers bought with it and the payment that it waits for, one for all of an order. */
async function storePurchases(
  tx: Tx,
  orders: readonly Seated[][],
  { isEmbedded }: PaymentWay,
  now: Date,
): Promise<void> {
  await insertPurchases(
    tx,
    orders.flat().flatMap(({ wanted, row }) => wanted.map((extras) => ({ registrationId: row.id, extras }))),
  )
  await insertPayments(
    tx,
    orders.map((people) => people.flatMap(({ row }) => (row.status === 'pending' ? [row] : []))),
    isEmbedded,
    now,
  )
}

/** Somebody who got their seat. */
type Seated = Pick<CheckedPerson, 'wanted' | 'address'> & { row: RegistrationRow }

/** Those who got their seats, by order. */
function savedOrders(placings: ReadonlyMap<CheckedPerson, Placing | Refusal>): Seated[][] {
  const orders = new Map<number, Seated[]>()
  for (const [{ wanted, address }, placing] of placings) {
    if (!isSaved(placing)) continue
    const { row } = placing
    const orderId = row.orderId ?? row.id
    orders.set(orderId, [...(orders.get(orderId) ?? []), { wanted, address, row }])
  }
  return [...orders.values()]
}

function outcomeOf(placing: Placing | Refusal | undefined, { type, isOnlyType }: Checked): Outcome {
  if (placing instanceof Refusal) return placing
  if (placing?.outcome === 'saved') return placing.row
  if (placing?.outcome === 'too many') return new Refusal('EMAIL_LIMIT')
  return placing?.outcome === 'duplicate'
    ? new Refusal('ALREADY_REGISTERED')
    : soldOut(placing?.outcome ?? 'sold out', type, isOnlyType)
}

/** The answer to a repeated key, or why the event is not open; null when a seat should be requested. */
function earlyAnswer(
  request: Waiting,
  event: EventRow,
  earlier: ReadonlyMap<string, RegistrationRow>,
  now: Date,
): Outcome | null {
  const same = request.idempotencyKey === null ? undefined : earlier.get(keyOf(request.eventId, request.idempotencyKey))
  if (same) return same.fingerprint === request.fingerprint ? same : new Refusal('IDEMPOTENCY_MISMATCH')
  const refusal = refusalToRegister(event, now)
  return refusal ? new Refusal(refusal) : null
}

/** Two with the same key must see each other's outcome: they never go in one run. */
function keysOf({ eventId, idempotencyKey }: Waiting): string[] {
  return idempotencyKey === null ? [] : [keyOf(eventId, idempotencyKey)]
}

function keyOf(eventId: number, idempotencyKey: string | null): string {
  return `${eventId} ${idempotencyKey}`
}

function unique(requests: Waiting[]): number[] {
  return [...new Set(requests.map(({ eventId }) => eventId))]
}

function codeIn({ eventId, code }: Waiting) {
  return code === null ? [] : [{ eventId, code }]
}

function membersIn({ clubId, eventId, memberId, companions }: Waiting) {
  if (memberId === '' && !companions) return []
  const typed = [memberId, ...(companions ?? []).map((each) => each.memberId ?? '')]
  return typed.flatMap((one) => (one === '' ? [] : [{ clubId, eventId, memberId: one }]))
}

function pairOf({ eventId, idempotencyKey }: Waiting) {
  return idempotencyKey === null ? [] : [{ eventId, idempotencyKey }]
}
