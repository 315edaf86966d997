import { type Code, type CodeFields, type codeApi, codeKey, MOST_CODES } from '../../contract/codes.ts'
import type { Input } from '../../contract/endpoint.ts'
import { type FieldError, Refusal } from '../../contract/errors.ts'
import { onSale } from '../../contract/ticket-type.ts'
import { formatPrice, leastPayable, validateAmount } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/codeInput.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange } from '../db/changes.ts'
import { differences, pick } from '../db/differences.ts'
import type { CodeRow, EventRow, TicketTypeRow, Tx } from '../db/schema.ts'
import { isCheckViolation } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findTicketTypes } from '../records/ticket-type-queries.ts'
import { isFor, priceWith } from './code-price.ts'
import * as queries from './queries.ts'

type Payload = Input<typeof codeApi.saveCode>['payload']

/**
 * Adds a code to an event, or edits one. Refuses with NOT_FOUND, with EDIT_CONFLICT when there is a newer version, with
 * CAPACITY_BELOW_TAKEN fewer uses than there are, with INVALID_INPUT a code that another one has, or that makes a price that cannot be paid.
 */
export async function saveCode(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { id, eventId: _, version, ...fields }: Payload,
): Promise<Code> {
  try {
    return await db.transaction().execute(async (tx) => {
      const current = await lockEvent(tx, event.id)
      if (!current) throw new Refusal('NOT_FOUND')
      const before = id === undefined ? null : await queries.findCode(tx, event.id, id)
      if (before === undefined) throw new Refusal('NOT_FOUND')
      if (before && version !== undefined && version !== before.version) throw new Refusal('EDIT_CONFLICT')
      const types = await findTicketTypes(tx, event.id)
      const wrong = [
        ...wrongIn(fields, current, types),
        ...((await isTaken(tx, event, fields.code, id)) ? [{ path: 'code', msg: texts.sameCode }] : []),
      ]
      if (!before && (await queries.countCodes(tx, event.id)) >= MOST_CODES)
        wrong.push({ path: 'code', msg: () => texts.mostCodes({ most: MOST_CODES }) })
      if (wrong.length > 0)
        throw new Refusal('INVALID_INPUT', { fields: wrong.map(({ path, msg }) => ({ path: `payload.${path}`, msg })) })
      const row = { ...fields, key: codeKey(fields.code) }
      const after = before
        ? await queries.updateCode(tx, before.id, row)
        : await queries.insertCode(tx, { ...row, eventId: event.id, createdAt: now() })
      await queries.noteCodes(tx, event.id)
      await log(tx, now(), caller, event, changeOf(before, after, current, types))
      return after
    })
  } catch (error) {
    if (!isCheckViolation(error, 'codes_uses')) throw error
    const msg = texts.moreUses
    throw new Refusal('CAPACITY_BELOW_TAKEN', { msg, fields: [{ path: 'payload.maxUses', msg }] })
  }
}

/** Removes a code. Refuses with NOT_FOUND. */
export async function removeCode({ db, now }: Deps, caller: AdminCaller, event: OwnEvent, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const current = await lockEvent(tx, event.id)
    const before = current && (await queries.findCode(tx, event.id, id))
    if (!before) throw new Refusal('NOT_FOUND')
    await queries.updateCode(tx, id, { removedAt: now() })
    await queries.noteCodes(tx, event.id)
    await log(tx, now(), caller, event, { text: before.code, before: { code: before.code }, after: null })
  })
}

async function isTaken(tx: Tx, { id: eventId }: OwnEvent, code: string, own: number | undefined): Promise<boolean> {
  return (await queries.findCodes(tx, [{ eventId, code }])).some(({ id }) => id !== own)
}

/** What is wrong with a code for this event; paths are those of its fields. */
function wrongIn(fields: CodeFields, { currency }: EventRow, types: readonly TicketTypeRow[]): FieldError[] {
  const { kind, value, ticketTypeIds, opensAt, closesAt } = fields
  const wrong: FieldError[] = []
  const unknown = ticketTypeIds.findIndex((id) => types.every((type) => type.id !== id))
  if (unknown >= 0) wrong.push({ path: `ticketTypeIds.${unknown}`, msg: texts.ticketNeeded })
  if (opensAt && closesAt && closesAt <= opensAt) wrong.push({ path: 'closesAt', msg: texts.closesBeforeOpening })
  const msg = kind === 'percent' ? (value > 100 ? texts.atMost100Percent : null) : validateAmount(value, currency)
  if (msg !== null) return [...wrong, { path: 'value', msg }]
  const least = leastPayable(currency)
  const short = onSale(types).find((type) => {
    const price = priceWith(fields, type, currency)
    return isFor(fields, type) && price !== type.price && price > 0 && price < least
  })
  if (short)
    wrong.push({
      path: 'value',
      msg: () =>
        texts.belowLeast({
          ticket: short.name,
          price: formatPrice(priceWith(fields, short, currency), currency),
          least: formatPrice(least, currency),
        }),
    })
  return wrong
}

/** A code as it is logged: with its currency, and the names of its tickets. */
function stateOf(code: CodeRow, { currency }: EventRow, types: readonly TicketTypeRow[]) {
  const { kind, value, maxUses, opensAt, closesAt, note, ticketTypeIds } = code
  const tickets = types.filter(({ id }) => ticketTypeIds.includes(id)).map(({ name }) => name)
  return { code: code.code, effect: { kind, value, currency }, tickets, maxUses, opensAt, closesAt, note }
}

const shown = ['code', 'effect', 'tickets', 'maxUses', 'opensAt', 'closesAt'] as const

interface Change {
  text: string
  before: object | null
  after: object | null
}

/** Null where nothing differs. */
function changeOf(
  before: CodeRow | null,
  after: CodeRow,
  event: EventRow,
  types: readonly TicketTypeRow[],
): Change | null {
  const saved = stateOf(after, event, types)
  if (!before) return { text: after.code, before: null, after: pick(saved, shown) }
  const { isNone, ...change } = differences(stateOf(before, event, types), saved, { shown, named: ['note'] })
  return isNone ? null : { text: before.code, ...change }
}

async function log(tx: Tx, at: Date, caller: AdminCaller, event: OwnEvent, change: Change | null): Promise<void> {
  if (!change) return
  await logChange(tx, at, {
    clubId: event.clubId,
    userId: caller.id,
    subject: 'event',
    subjectId: event.id,
    action: 'codes edited',
    after: { codesChanged: [change] },
  })
}
