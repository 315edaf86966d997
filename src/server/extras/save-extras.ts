import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { type Extras, type extrasApi, validateContent } from '../../contract/extras.ts'
import { isCurrency } from '../../contract/values/currencies.ts'
import { validateAmount } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/api.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange } from '../db/changes.ts'
import { differences, pick } from '../db/differences.ts'
import type { Tx } from '../db/schema.ts'
import { isCheckViolation } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../places/seat-queries.ts'

import * as queries from './queries.ts'

type Payload = Input<typeof extrasApi.saveExtras>['payload']

/**
 * Adds a voucher to an event, or edits one; those bought stay as they were. Refuses with NOT_FOUND, with PAYMENTS_OFF a price
 * that nobody could pay, with CAPACITY_BELOW_TAKEN a limit below what is sold, with EDIT_CONFLICT when there is a newer version.
 */
export async function saveExtras(
  { db, now, stripe }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { id, eventId, content, version, ...fields }: Payload,
): Promise<Extras> {
  const wrong = validateContent(content)
  if (wrong.length > 0)
    throw new Refusal('INVALID_INPUT', { fields: wrong.map(({ path, msg }) => ({ path: `payload.${path}`, msg })) })
  try {
    return await db.transaction().execute(async (tx) => {
      const current = await lockEvent(tx, eventId)
      if (!current) throw new Refusal('NOT_FOUND')
      if (current.status === 'published' && fields.price > 0 && stripe === null)
        throw new Refusal('PAYMENTS_OFF', { msg: texts.voucherWithoutCards })
      const isChargeable = fields.price === 0 || isCurrency(event.currency)
      const wrongPrice = isChargeable ? validateAmount(fields.price, event.currency) : texts.noCardsInCurrency
      if (wrongPrice !== null)
        throw new Refusal('INVALID_INPUT', { fields: [{ path: 'payload.price', msg: wrongPrice }] })
      const before = id === undefined ? null : await one(tx, event, id)
      if (before && version !== undefined && version !== before.version) throw new Refusal('EDIT_CONFLICT')
      const row = { ...fields, content: JSON.stringify(content) }
      const saved =
        id === undefined
          ? await queries.insertExtras(tx, { ...row, eventId })
          : await queries.updateExtras(tx, eventId, id, row)
      if (!saved) throw new Refusal('NOT_FOUND')
      const after = await one(tx, event, saved.id)
      if (!before) await log(tx, now(), caller, after.id, { action: 'added', after: stateOf(after) })
      else await log(tx, now(), caller, after.id, { action: 'edited', ...editOf(before, after) })
      return after
    })
  } catch (error) {
    if (!isCheckViolation(error, 'extras_stock')) throw error
    const msg = texts.moreVouchersSold
    throw new Refusal('CAPACITY_BELOW_TAKEN', { msg, fields: [{ path: 'payload.maxQuantity', msg }] })
  }
}

/** Takes a voucher off sale; those bought stay valid. Refuses with NOT_FOUND. */
export async function removeExtras(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  extrasId: number,
): Promise<Extras> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockEvent(tx, event.id))) throw new Refusal('NOT_FOUND')
    const before = await one(tx, event, extrasId)
    await queries.updateExtras(tx, event.id, extrasId, { removedAt: now() })
    await log(tx, now(), caller, extrasId, { action: 'removed', before: stateOf(before) })
    return before
  })
}

/** Puts an event's vouchers in this order. */
export async function sortExtras(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  ids: readonly number[],
): Promise<Extras[]> {
  return db.transaction().execute(async (tx) => {
    // Registrations count vouchers under this lock.
    if (!(await lockEvent(tx, event.id))) throw new Refusal('NOT_FOUND')
    await queries.sortExtras(tx, event.id, ids)
    const sorted = await queries.listExtras(tx, event)
    // The ids come from the client: only what was found in the own event is logged.
    if (sorted[0] && sorted[0].id === ids[0]) await log(tx, now(), caller, sorted[0].id, { action: 'put first' })
    return sorted
  })
}

async function one(tx: Tx, event: OwnEvent, id: number): Promise<Extras> {
  const [found] = await queries.listExtras(tx, event, id)
  if (!found) throw new Refusal('NOT_FOUND')
  return found
}

const stateOf = (voucher: Extras) => pick(voucher, ['name', 'price', 'currency', 'content', 'maxQuantity'])

/** What an edit changed, with the currency for the price. */
function editOf(before: Extras, after: Extras) {
  const fields = { shown: ['name', 'price', 'content', 'maxQuantity'], named: ['description'] } as const
  const changed = differences(before, after, fields)
  const { currency } = after
  return { before: { ...changed.before, currency }, after: { ...changed.after, currency } }
}

interface Logged {
  action: string
  before?: object
  after?: object
}

function log(tx: Tx, now: Date, { id: userId, clubId }: AdminCaller, subjectId: number, logged: Logged) {
  return logChange(tx, now, { clubId, userId, subject: 'extras', subjectId, ...logged })
}
