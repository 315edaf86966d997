import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { onSale, type TicketType } from '../../contract/ticket-type.ts'
import {
  fieldsOfType,
  newTicketType,
  type TicketTypeFields,
  type ticketTypeApi,
  validateTicketTypes,
} from '../../contract/ticket-types.ts'
import * as texts from '../../texts/generated/api.ts'
import * as inputTexts from '../../texts/generated/ticketTypeInput.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { checkCurrency } from '../clubs/check-currency.ts'
import { noteCodes } from '../codes/queries.ts'
import { logChange } from '../db/changes.ts'
import { differences, pick } from '../db/differences.ts'
import { omitUndefined } from '../db/omit-undefined.ts'
import type { TicketTypeRow, Tx } from '../db/schema.ts'
import { isCheckViolation } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findTicketTypes } from '../records/ticket-type-queries.ts'
import * as queries from './queries.ts'

type Payload = Input<typeof ticketTypeApi.saveTicketTypes>['payload']
type Given = Payload['ticketTypes'][number]

/** Where a type stands in the input, for the errors in it. */
const placeOf = (index: number, field: string) => `payload.ticketTypes.${index}.${field}`

/**
 * Saves the ticket types of an event in their order. Those left out are taken off sale. Refuses with EDIT_CONFLICT when `seen` is no longer
 * what there is, with CAPACITY_BELOW_TAKEN a number below what is sold, with PAYMENTS_OFF a price that nobody could pay.
 */
export async function saveTicketTypes(
  { db, now, stripe }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { ticketTypes: given, seen }: Payload,
): Promise<TicketType[]> {
  return db.transaction().execute(async (tx) => {
    const current = await lockEvent(tx, event.id)
    if (!current) throw new Refusal('NOT_FOUND')
    const known = await findTicketTypes(tx, event.id)
    const before = onSale(known)
    if (seen && !isSame(seen, before)) throw new Refusal('EDIT_CONFLICT')
    const wanted = given.map((one, index) => merged(one, index, known))
    checkTwice(given)
    const wrong = validateTicketTypes(wanted, current.currency)
    if (wrong.length > 0)
      throw new Refusal('INVALID_INPUT', {
        fields: wrong.map(({ path, msg }) => ({ path: `payload.ticketTypes.${path}`, msg })),
      })
    const isPriced = wanted.some(({ price }) => price > 0)
    if (isPriced) checkCurrency(current.currency)
    if (isPriced && current.status === 'published' && stripe === null) throw new Refusal('PAYMENTS_OFF')
    for (const [index, one] of wanted.entries()) await store(tx, event.id, one, { index, id: given[index]?.id, known })
    const gone = before.filter(({ id }) => given.every((one) => one.id !== id))
    await queries.retireTicketTypes(
      tx,
      event.id,
      gone.map(({ id }) => id),
      now(),
    )
    await queries.storePriceRange(tx, event)
    await noteCodes(tx, event.id)
    const after = await findTicketTypes(tx, event.id)
    await log(tx, now(), caller, { event, currency: current.currency, known, after })
    return after.map((type) => ({ ...type, codePrice: null }))
  })
}

function isSame(seen: NonNullable<Payload['seen']>, before: readonly TicketTypeRow[]): boolean {
  return (
    seen.length === before.length &&
    before.every(({ id, version }, index) => seen[index]?.id === id && seen[index].version === version)
  )
}

/** A type as it will be: what is not given stays, or is as for a new one. */
function merged(given: Given, index: number, known: readonly TicketTypeRow[]): TicketTypeFields {
  const { id, putBack = false, ...fields } = given
  const old = known.find((type) => type.id === id)
  // Whoever sends a list from before a colleague took one off sale does not undo that.
  if (id !== undefined && (!old || (old.removedAt !== null && !putBack)))
    throw new Refusal('INVALID_INPUT', { fields: [{ path: placeOf(index, 'id'), msg: inputTexts.notOnSale }] })
  const all = { ...newTicketType, ...old, ...omitUndefined(fields) }
  const { name } = all
  if (name === undefined)
    throw new Refusal('INVALID_INPUT', { fields: [{ path: placeOf(index, 'name'), msg: inputTexts.nameNeeded }] })
  return fieldsOfType({ ...all, name })
}

function checkTwice(given: readonly Given[]): void {
  const ids = given.map(({ id }) => id)
  const index = ids.findIndex((id, at) => id !== undefined && ids.indexOf(id) < at)
  if (index < 0) return
  throw new Refusal('INVALID_INPUT', { fields: [{ path: placeOf(index, 'id'), msg: inputTexts.sameName }] })
}

interface Place {
  index: number
  /** The id of the type that it is; undefined for a new one. */
  id: number | undefined
  known: readonly TicketTypeRow[]
}

async function store(tx: Tx, eventId: number, fields: TicketTypeFields, { index, id, known }: Place): Promise<void> {
  const row = { ...fields, position: index + 1, removedAt: null }
  const old = known.find((type) => type.id === id)
  try {
    if (!old) await queries.insertTicketType(tx, { ...row, eventId })
    else await queries.updateTicketType(tx, old.id, row, isEdit(old, row))
  } catch (error) {
    if (!isCheckViolation(error, 'ticket_types_places')) throw error
    const msg = texts.moreTicketsSold
    throw new Refusal('CAPACITY_BELOW_TAKEN', { msg, fields: [{ path: placeOf(index, 'maxQuantity'), msg }] })
  }
}

const shown = [
  'name',
  'price',
  'maxQuantity',
  'minPerOrder',
  'maxPerOrder',
  'saleOpensAt',
  'saleClosesAt',
  'access',
  'maxPerMember',
] as const

const changeOf = (old: TicketTypeRow, type: TicketTypeRow) => differences(old, type, { shown, named: ['description'] })

/** Whether more than its place changes. */
const isEdit = (old: TicketTypeRow, row: Partial<TicketTypeRow>) =>
  old.removedAt !== null || !changeOf(old, { ...old, ...row }).isNone

interface Change {
  event: OwnEvent
  currency: string
  known: readonly TicketTypeRow[]
  after: readonly TicketTypeRow[]
}

/** Notes each type that is new, off sale or different, with what differs. */
function log(tx: Tx, now: Date, caller: AdminCaller, { event, currency, known, after }: Change): Promise<void> {
  const [before, live] = [onSale(known), onSale(after)]
  const changed: { text: string; before: object | null; after: object | null }[] = [
    ...live.flatMap((type): typeof changed => {
      const old = before.find(({ id }) => id === type.id)
      const isBack = !old && known.some(({ id }) => id === type.id)
      if (!old) return [{ text: type.name, before: null, after: { ...pick(type, shown), currency, isBack } }]
      const { isNone, ...change } = changeOf(old, type)
      return isNone
        ? []
        : [{ text: old.name, before: { ...change.before, currency }, after: { ...change.after, currency } }]
    }),
    ...before
      .filter(({ id }) => live.every((type) => type.id !== id))
      .map(({ name }) => ({ text: name, before: { name }, after: null })),
  ]
  return logChange(tx, now, {
    clubId: event.clubId,
    userId: caller.id,
    subject: 'event',
    subjectId: event.id,
    action: 'ticket types edited',
    before: { ticketTypes: before.length },
    after: { ticketTypes: live.length, ...(changed.length > 0 && { ticketTypesChanged: changed }) },
  })
}
