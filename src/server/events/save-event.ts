import type { Input } from '../../contract/endpoint.ts'
import { type FieldError, Refusal } from '../../contract/errors.ts'
import {
  type EventFields,
  type eventApi,
  isMoved,
  newEvent,
  validatePrice,
  validateTimes,
} from '../../contract/events.ts'
import type { PhoneField } from '../../contract/phone-field.ts'
import { onSale } from '../../contract/ticket-type.ts'
import * as texts from '../../texts/generated/api.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'
import * as refusalTexts from '../../texts/generated/refusals.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { checkCurrency } from '../clubs/check-currency.ts'
import { checkTimeZone } from '../clubs/check-time-zone.ts'
import { hasAmountCodes } from '../codes/queries.ts'
import { logChange } from '../db/changes.ts'
import { differences, pick } from '../db/differences.ts'
import { omitUndefined } from '../db/omit-undefined.ts'
import type { EventRow, Tx } from '../db/schema.ts'
import { isCheckViolation } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { noImage, type SavedImage, saveWithImage } from '../images/save-with-image.ts'
import { queueChangeMails } from '../mail/queries.ts'
import { hasMoney } from '../payments/payment-queries.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findClub, holdClub } from '../records/club-queries.ts'
import { countTicketTypes, findTicketTypes, highestPrice } from '../records/ticket-type-queries.ts'
import { hasPricedExtras } from '../records/voucher-queries.ts'
import { startCallOff } from './call-off.ts'
import { storeDescriptionHtml } from './description-html.ts'
import * as queries from './queries.ts'
import { renderApart } from './render-apart.ts'

type EventInput = Input<typeof eventApi.save>

/** Adds an event to the caller's club, or edits the one proven; what an edit leaves out stays as it is. */
export async function saveEvent(
  deps: Deps,
  caller: AdminCaller,
  event: OwnEvent | null,
  input: EventInput,
  upload: Buffer | null,
): Promise<EventRow> {
  const { id: _, clubId, removeBanner = false, version, tellAttendees = false, ...fields } = input
  if (clubId !== undefined && clubId !== caller.clubId) throw new Refusal('NOT_FOUND')
  checkCurrency(fields.currency)
  await checkTimeZone(deps.db, fields.timeZone)
  const html = fields.description === undefined ? null : await rendered(caller, fields.description)
  const save = event
    ? (image?: SavedImage) =>
        editEvent(deps, caller, event, {
          edit: omitUndefined({ ...fields, banner: image?.file, bannerRatio: image?.ratio }),
          version,
          tellAttendees,
        })
    : await addEvent(deps, caller, omitUndefined(fields))
  const image = { kind: 'event-banner' as const, field: 'banner', upload, clubId: caller.clubId, remove: removeBanner }
  const saved = await saveWithImage(deps, image, save)
  if (html !== null)
    await storeDescriptionHtml(deps.db, saved, html).catch(() => deps.log.warn('description not kept as HTML'))
  return saved
}

/** Before anything is saved: a text that cannot be shown is refused. */
function rendered({ clubId }: AdminCaller, markdown: string): Promise<string> {
  return renderApart({ markdown, owner: `club ${clubId}`, field: 'description' })
}

type Fields = EventFields & { phoneField: PhoneField }
type Edit = Partial<Fields & { banner: string; bannerRatio: number | null }>

interface Change {
  edit: Edit
  /** The version that the caller saw. */
  version: number | undefined
  tellAttendees: boolean
}

async function addEvent({ db, now, stripe }: Deps, caller: AdminCaller, fields: Partial<Fields>) {
  const { name, startsAt, endsAt } = fields
  if (name === undefined || startsAt === undefined || endsAt === undefined) throw missing(fields)
  const club = await findClub(db, caller.clubId)
  if (!club) throw new Refusal('NOT_FOUND')
  const ticketPrice = fields.ticketPrice ?? newEvent.ticketPrice
  // A client that sends no status knows no drafts, so the event is published at once, where possible.
  const status = ticketPrice > 0 && !stripe ? ('draft' as const) : ('published' as const)
  const own = { status, timeZone: club.timeZone, currency: club.currency }
  const event = { ...newEvent, ...own, ...fields, name, startsAt, endsAt }
  checkEvent(event)
  if (event.status === 'published' && event.ticketPrice > 0 && !stripe) throw new Refusal('PAYMENTS_OFF')
  return ({ file: banner, ratio: bannerRatio } = noImage) =>
    db.transaction().execute(async (tx) => {
      if (!(await holdClub(tx, club.id))) throw new Refusal('NOT_FOUND')
      const saved = await queries.insertEvent(tx, { ...event, banner, bannerRatio, clubId: club.id, createdAt: now() })
      await logEvent(tx, now(), caller, null, saved)
      return { saved, fileBefore: '' }
    })
}

/** With the version that the caller saw, the edit is refused with EDIT_CONFLICT when there is a newer one. */
async function editEvent(
  { db, now, stripe }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { edit, version, tellAttendees }: Change,
) {
  try {
    return await db.transaction().execute(async (tx) => {
      const before = await lockEvent(tx, event.id)
      if (!before) throw new Refusal('NOT_FOUND')
      if (version !== undefined && version !== before.version) throw new Refusal('EDIT_CONFLICT')
      const after = { ...before, ...edit }
      checkEvent(after)
      checkTransition(before, after)
      if (after.ticketPrice !== before.ticketPrice && (await countTicketTypes(tx, event.id)) > 1)
        throw new Refusal('INVALID_INPUT', { fields: [{ path: 'ticketPrice', msg: texts.severalPrices }] })
      if (after.status === 'published' && !stripe && (await hasPrice(tx, before, after)))
        throw new Refusal('PAYMENTS_OFF')
      if (before.currency !== after.currency && (await hasPrices(tx, before)))
        throw new Refusal('ILLEGAL_TRANSITION', {
          msg: texts.currencyInUse,
        })
      if (before.currency !== after.currency) {
        await checkPricesOfTypes(tx, event.id, after.currency)
        // An amount in another currency is another one.
        if (await hasAmountCodes(tx, event.id))
          throw new Refusal('INVALID_INPUT', { fields: [{ path: 'currency', msg: texts.codesInCurrency }] })
      }
      const fileBefore = before.banner
      if (Object.keys(edit).length === 0) return { saved: before, fileBefore }
      const saved = await queries.updateEvent(tx, event.id, edit)
      if (before.status !== 'cancelled' && saved.status === 'cancelled') await startCallOff(tx, now(), event.id)
      const isNotable = before.status === 'published' && saved.status === 'published' && isMoved(before, saved)
      if (tellAttendees && isNotable) await queueChangeMails(tx, event.id, now())
      await logEvent(tx, now(), caller, before, saved)
      return { saved, fileBefore }
    })
  } catch (error) {
    if (!isCheckViolation(error, 'events_capacity')) throw error
    const msg = refusalTexts.capacityBelowTaken
    throw new Refusal('CAPACITY_BELOW_TAKEN', { fields: [{ path: 'maxAttendees', msg }] })
  }
}

/** Whether something was sold, or is on sale, in the event's currency. */
async function hasPrices(tx: Tx, { id, registrationCount }: EventRow): Promise<boolean> {
  return (
    (registrationCount > 0 && (await highestPrice(tx, id)) > 0) ||
    (await hasPricedExtras(tx, id)) ||
    (await hasMoney(tx, id))
  )
}

/** Refuses a currency in which the price of one of several ticket types cannot be paid. */
async function checkPricesOfTypes(tx: Tx, eventId: number, currency: string): Promise<void> {
  const live = onSale(await findTicketTypes(tx, eventId))
  // The only one has the event's price, which may change with the currency.
  if (live.length < 2) return
  const priced = live.filter(({ price }) => price > 0)
  if (priced.length > 0) checkCurrency(currency)
  const fields = priced.flatMap(({ name, price }): FieldError[] => {
    const problem = validatePrice(price, currency)
    if (problem === null) return []
    return [{ path: 'currency', msg: () => texts.priceOfTicket({ name, problem: problem() }) }]
  })
  if (fields.length > 0) throw new Refusal('INVALID_INPUT', { fields })
}

/** Whether somebody may have to pay. */
async function hasPrice(tx: Tx, { ticketPrice: was }: EventRow, after: EventRow): Promise<boolean> {
  // The price that changes is the only one.
  const highest = after.ticketPrice === was ? await highestPrice(tx, after.id) : after.ticketPrice
  return highest > 0 || (await hasPricedExtras(tx, after.id))
}

function missing(fields: Partial<EventFields>): Refusal {
  const required = ['name', 'startsAt', 'endsAt'] as const
  const wrong: FieldError[] = required
    .filter((name) => fields[name] === undefined)
    .map((path) => ({ path, msg: fieldTexts.required }))
  return new Refusal('INVALID_INPUT', { fields: wrong })
}

function checkEvent(event: EventFields): void {
  if (event.ticketPrice > 0) checkCurrency(event.currency)
  const price = validatePrice(event.ticketPrice, event.currency)
  const fields = [...validateTimes(event), ...(price === null ? [] : [{ path: 'ticketPrice', msg: price }])]
  if (fields.length > 0) throw new Refusal('INVALID_INPUT', { fields })
}

/** A cancelled event stays cancelled, and one with registrations cannot become a draft again. */
function checkTransition(before: EventRow, after: Pick<EventRow, 'status'>): void {
  if (before.status === after.status) return
  if (before.status === 'cancelled') throw new Refusal('ILLEGAL_TRANSITION', { msg: texts.cancelledForGood })
  if (after.status === 'draft' && before.registrationCount > 0)
    throw new Refusal('ILLEGAL_TRANSITION', { msg: texts.cancelInstead })
}

const loggedFields = {
  shown: [
    'name',
    'status',
    'location',
    'startsAt',
    'endsAt',
    'timeZone',
    'maxAttendees',
    'maxPerEmail',
    'ticketPrice',
    'currency',
    'registrationOpensAt',
    'registrationClosesAt',
    'correctionsUntil',
    'allowsHandOn',
    'allowsReentry',
    'keepDays',
    'phoneField',
  ],
  named: ['description', 'banner'],
} as const

/** Notes in the change log that an event was added (`before` is null) or edited. */
export function logEvent(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  before: EventRow | null,
  after: EventRow,
): Promise<void> {
  const change = { clubId: after.clubId, userId: caller.id, subject: 'event' as const, subjectId: after.id }
  if (before === null) {
    const state = pick(after, ['name', 'status', 'startsAt', 'endsAt', 'maxAttendees', 'ticketPrice', 'currency'])
    return logChange(tx, now, { ...change, action: 'added', after: state })
  }
  const changed = differences(before, after, loggedFields)
  // With the currency, for the price; the history leaves out what is the same on both sides.
  const of = ({ currency }: EventRow) => ({ currency })
  return logChange(tx, now, {
    ...change,
    action: 'edited',
    before: { ...changed.before, ...of(before) },
    after: { ...changed.after, ...of(after) },
  })
}
