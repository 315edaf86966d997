import { randomUUID } from 'node:crypto'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { refusalToRegister } from '../../contract/event.ts'
import type { Registration, registrationApi } from '../../contract/registrations.ts'
import { formatPrice, leastPayable, totalOf } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Language } from '../../texts/language.ts'
import type { Visitor } from '../access/visitor.ts'
import { batch } from '../db/batch.ts'
import { inRush } from '../db/locks.ts'
import type { EventRow, ExtrasRow, FormQuestionRow, RegistrationRow, TicketTypeRow, Tx } from '../db/schema.ts'
import { pipeline } from '../db/statement.ts'
import { isAboutValues, isCollision, isLocked, toAlreadyRegistered } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { findExtrasOf, insertPurchases } from '../extras/queries.ts'
import { MOST_AMOUNT } from '../payments/hold.ts'
import { insertPayments } from '../payments/payment-queries.ts'
import { fingerprintOf } from '../places/fingerprint.ts'
import { HOLD_MS } from '../places/hold.ts'
import { findTooManyHolds, storeHolds } from '../places/limits-of-holds.ts'
import { type NewRegistration, type Placing, placeRegistrations } from '../places/place-queries.ts'
import { endedHolds, releaseEnded } from '../places/release-queries.ts'
import { lockedEvents } from '../places/seat-queries.ts'
import { toRegistration } from '../records/registration-queries.ts'
import { questionsOf } from '../records/shared-reads.ts'
import { storedType, ticketTypesOf } from '../records/ticket-type-queries.ts'
import { chooseTicketType, soldOut } from '../ticket-types/choose-ticket-type.ts'
import { checkPerson, invalidData } from './check-person.ts'
import { registrationsWithKeys } from './queries.ts'
import { chooseExtras, type Stock, stockOf } from './vouchers-wanted.ts'

type Request = Input<typeof registrationApi.initRegistration>
type Others = Request['newRegistration']['registrationData']['others']
type Waiting = Omit<NewRegistration, 'others' | 'amount' | 'holdExpiresAt'> & {
  clubId: number
  /** The network address; null when no limits apply. */
  address: string | null
  others: Others
  extrasIds: number[]
}

type Checked = NewRegistration & {
  wanted: ExtrasRow[]
  type: TicketTypeRow
  /** Whether the event has never had another. */
  isOnlyType: boolean
  address: string | null
}
type Outcome = RegistrationRow | Refusal
/** Each run holds a connection; the pool has more, so that everything else goes on. */
const RUNS_AT_ONCE = 8
/** Who asks: staff, who are no `visitor`, have no limits. */
interface From {
  visitor: Visitor | null
  /** The language that the visitor asks for; null for none of ours, and for staff. */
  language: Language | null
}
type PaymentWay = { isOn: boolean; isEmbedded: boolean }

/**
 * Makes the function that registers a visitor. Those who ask at the same moment share one transaction, each with their own answer: a seat
 * with its ticket mail, or one held until it is paid, or a refusal (SOLD_OUT, VOUCHER_SOLD_OUT, ALREADY_REGISTERED, EMAIL_LIMIT,
 * TOO_MANY_HOLDS, why it is not open).
 */
export function makeRegister({ db, now, stripe }: Deps): (request: Request, from: From) => Promise<Registration> {
  const payment = { isOn: stripe !== null, isEmbedded: stripe?.publishableKey !== null }
  const place = batch<Waiting, Outcome>(
    (requests) => db.transaction().execute((tx) => placeAll(tx, requests, now(), payment)),
    {
      most: 256,
      atOnce: RUNS_AT_ONCE,
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
  const onSale = requests.some(({ extrasIds }) => extrasIds.length > 0) ? await findExtrasOf(tx, eventIds) : []
  const events = new Map(eventRows.map((event) => [event.id, event]))
  const released = new Map((await releaseEnded(tx, ended, now)).map((row) => [row.id, row]))
  const earlier = new Map(sameKeys.map((row) => [keyOf(row.eventId, row.idempotencyKey), released.get(row.id) ?? row]))
  const checked = requests.map((request) => {
    const event = events.get(request.eventId)
    if (!event || event.clubId !== request.clubId) return new Refusal('NOT_FOUND')
    const asked = questions.filter(({ eventId }) => eventId === event.id)
    const sold = types.filter(({ eventId }) => eventId === event.id)
    return earlyAnswer(request, event, earlier, now) ?? check(request, { event, asked, sold, onSale, payment, now })
  })
  const refused = await findTooManyHolds(
    tx,
    checked.filter((answer) => 'wanted' in answer),
    now,
  )
  const answers = checked.map((answer) => ('wanted' in answer && refused.get(answer)) || answer)
  const toPlace = answers.filter((answer) => 'wanted' in answer)
  const isFree = toPlace.every(({ wanted, amount }) => wanted.length === 0 && amount === 0)
  const placings = await placeInTurn(tx, toPlace, stockOf(onSale), { now, isLast: isFree })
  if (!isFree) {
    await storePurchases(tx, placings, payment, now)
    await storeHolds(tx, saved(placings))
  }
  return answers.map((answer) => ('wanted' in answer ? outcomeOf(placings.get(answer), answer) : answer))
}

/**
 * Requests without limited vouchers go in one statement; the others one by one, so that a voucher that is sold out takes no seat with it.
 */
async function placeInTurn(tx: Tx, toPlace: Checked[], stock: Stock, { now, isLast }: { now: Date; isLast: boolean }) {
  const placings = new Map<Checked, Placing | Refusal>()
  const plain = toPlace.filter(({ wanted }) => !stock.isLimited(wanted))
  const placed = plain.length > 0 ? await placeRegistrations(tx, plain, now, { isLast }) : []
  for (const [index, request] of plain.entries()) placings.set(request, placed[index] ?? { outcome: 'sold out' })
  for (const request of toPlace.filter(({ wanted }) => stock.isLimited(wanted))) {
    const refusal = stock.whyNot(request.wanted)
    const [placing] = refusal ? [refusal] : await placeRegistrations(tx, [request], now)
    if (placing && !(placing instanceof Refusal) && placing.outcome === 'saved') stock.take(request.wanted)
    placings.set(request, placing ?? { outcome: 'sold out' })
  }
  return placings
}

/** Stores, for each seat given, the vouchers bought with it and the payment that it waits for. */
async function storePurchases(
  tx: Tx,
  placings: ReadonlyMap<Checked, Placing | Refusal>,
  { isEmbedded }: PaymentWay,
  now: Date,
): Promise<void> {
  const seated = saved(placings)
  await insertPurchases(
    tx,
    seated.flatMap(({ wanted, row }) => wanted.map((extras) => ({ registrationId: row.id, extras }))),
  )
  await insertPayments(
    tx,
    seated.flatMap(({ row }) => (row.status === 'pending' ? [row] : [])),
    isEmbedded,
    now,
  )
}

/** Those who got their seat. */
function saved(placings: ReadonlyMap<Checked, Placing | Refusal>) {
  return [...placings].flatMap(([{ wanted, address }, placing]) =>
    'outcome' in placing && placing.outcome === 'saved' ? [{ wanted, address, row: placing.row }] : [],
  )
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

interface Terms {
  event: EventRow
  /** The questions of its form. */
  asked: FormQuestionRow[]
  /** Its ticket types. */
  sold: TicketTypeRow[]
  /** Vouchers of all events of the run. */
  onSale: ExtrasRow[]
  payment: PaymentWay
  now: Date
}

/** The request with its phone number, answers and price as stored, or what is wrong with it. */
function check(request: Waiting, { event, asked, sold, onSale, payment, now }: Terms): Refusal | Checked {
  const { extrasIds } = request
  const type = chooseTicketType(sold, { id: request.ticketTypeId, path: 'newRegistration.ticketTypeId', now })
  if (type instanceof Refusal) return type
  const person = { name: request.name, phone: request.phone, others: request.others }
  const data = checkPerson(person, { ...event, questions: asked, ticketTypeId: type.id, isVisitor: true })
  if ('wrong' in data) return invalidData(data, 'newRegistration.registrationData')
  const wanted = chooseExtras(extrasIds, onSale, event.id, 'extrasIds')
  if (wanted instanceof Refusal) return wanted
  const amount = totalOf(type.price, wanted)
  if (amount > 0 && !payment.isOn) return new Refusal('PAYMENTS_OFF', { msg: texts.noCardPaymentYet })
  if (amount > MOST_AMOUNT)
    return new Refusal('INVALID_INPUT', {
      fields: [{ path: 'extrasIds', msg: texts.tooMuchAtOnce }],
    })
  if (amount > 0 && amount < leastPayable(event.currency))
    return new Refusal('INVALID_INPUT', {
      fields: [
        {
          path: 'extrasIds',
          msg: () => texts.leastByCard({ amount: formatPrice(leastPayable(event.currency), event.currency) }),
        },
      ],
    })
  const holdExpiresAt = amount > 0 ? new Date(now.getTime() + HOLD_MS) : null
  // Named one by one: spreading objects of this size costs as much as all the checks.
  return {
    eventId: request.eventId,
    ticketTypeId: storedType(type),
    name: request.name,
    email: request.email,
    phone: data.phone,
    others: data.others,
    qrUuid: request.qrUuid,
    amount,
    holdExpiresAt,
    idempotencyKey: request.idempotencyKey,
    fingerprint: request.fingerprint,
    language: request.language,
    isLimited: request.isLimited,
    address: request.address,
    wanted,
    type,
    isOnlyType: sold.length === 1,
  }
}

function toWaiting({ newRegistration, extrasIds, idempotencyKey }: Request, { visitor, language }: From): Waiting {
  const { eventId, clubId, ticketTypeId = null, registrationData } = newRegistration
  const { name, email, phone, others } = registrationData
  const fingerprint = idempotencyKey === undefined ? null : fingerprintOf({ ...newRegistration, extrasIds })
  return {
    eventId,
    // The id that was asked for.
    ticketTypeId,
    clubId,
    name,
    email,
    phone,
    others,
    extrasIds,
    qrUuid: randomUUID(),
    idempotencyKey: idempotencyKey ?? null,
    fingerprint,
    address: visitor?.address ?? null,
    isLimited: visitor !== null,
    language,
  }
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

function pairOf({ eventId, idempotencyKey }: Waiting) {
  return idempotencyKey === null ? [] : [{ eventId, idempotencyKey }]
}
