import type { Input } from '../../contract/endpoint.ts'
import { Refusal, refusals } from '../../contract/errors.ts'
import type { ExtrasPurchase } from '../../contract/extras.ts'
import type { redemptionApi } from '../../contract/redemptions.ts'
import { formatTime } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/api.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logRegistration } from '../db/changes.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import type { NotRedeemed } from '../db/tables/door.ts'
import type { Deps } from '../deps.ts'
import { findEvent } from '../records/event-queries.ts'
import { lockRegistration } from '../records/registration-queries.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import { changeUnits, lockUnits, registrationOf, type UnitChange } from './queries.ts'

export type Units = NonNullable<Input<typeof redemptionApi.scanByExtrasPurchaseId>['payload']['units']>
type Unit = Awaited<ReturnType<typeof lockUnits>>[number]

/** A redemption to make, or to take back. */
export interface Redemption {
  now: Date
  caller: AdminCaller
  /** The voucher's registration; locked. */
  registration: RegistrationRow
  purchaseId: number
  /** Undefined for all that is left, or all that was redeemed. */
  wanted: Units | undefined
}

/** The units redeemed of a voucher; or why none were. */
export type Redeemed = { units: Units; problem: null } | { problem: NotRedeemed }

/** Redeems units of a voucher, or all that is left. Refuses with INVALID_INPUT what it does not hold. */
export async function redeemUnits(tx: Tx, redemption: Redemption): Promise<Redeemed> {
  const { now, registration, purchaseId, wanted } = redemption
  const units = await lockUnits(tx, purchaseId)
  const left = units.filter(({ redeemed, quantity }) => redeemed < quantity)
  const changes = wanted
    ? changesFor(units, wanted)
    : left.map(({ position, quantity, redeemed }) => ({ position, change: quantity - redeemed }))
  if (left.length === 0) return { problem: await usedUp(tx, registration, purchaseId) }
  if (!isEnough(units, changes)) return { problem: notEnough(units, changes) }
  await changeUnits(tx, purchaseId, changes, now)
  const redeemed = inNames(units, changes)
  await log(tx, redemption, 'voucher redeemed', redeemed)
  return { units: redeemed, problem: null }
}

/** Takes a redemption back: of these units, or of all. Refuses with NOT_FOUND, ILLEGAL_TRANSITION. */
export async function undoRedemption(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { extrasPurchaseId, units: wanted }: { extrasPurchaseId: number; units?: Units | undefined },
): Promise<ExtrasPurchase> {
  return db.transaction().execute(async (tx) => {
    const registrationId = await registrationOf(tx, event, extrasPurchaseId)
    const registration = registrationId === null ? undefined : await lockRegistration(tx, registrationId)
    if (!registration) throw new Refusal('NOT_FOUND')
    if (!(await takeUnitsBack(tx, { now: now(), caller, registration, purchaseId: extrasPurchaseId, wanted })))
      throw new Refusal('ILLEGAL_TRANSITION', { msg: texts.notRedeemed })
    const found = (await findPurchases(tx, [registration.id])).find(({ id }) => id === extrasPurchaseId)
    if (!found) throw new Refusal('NOT_FOUND')
    return found
  })
}

/** Takes units back, or all; false when fewer were redeemed. */
export async function takeUnitsBack(tx: Tx, redemption: Redemption): Promise<boolean> {
  const { now, purchaseId, wanted } = redemption
  const units = await lockUnits(tx, purchaseId)
  const used = units.filter(({ redeemed }) => redeemed > 0)
  const changes = wanted
    ? changesFor(units, wanted).map(({ position, change }) => ({ position, change: -change }))
    : used.map(({ position, redeemed }) => ({ position, change: -redeemed }))
  if (changes.length === 0 || !isEnough(units, changes)) return false
  await changeUnits(tx, purchaseId, changes, now)
  await log(tx, redemption, 'redemption undone', inNames(units, changes))
  return true
}

/** The units by their names, in a fixed order; a name given twice is added up. */
function changesFor(units: readonly Unit[], wanted: Units): UnitChange[] {
  const fields = wanted.flatMap(({ name }, index) =>
    units.some((unit) => unit.name === name) ? [] : [{ path: `payload.units.${index}.name`, msg: texts.notInVoucher }],
  )
  if (fields.length > 0) throw new Refusal('INVALID_INPUT', { fields })
  return units.flatMap(({ name, position }) => {
    const change = wanted.filter((each) => each.name === name).reduce((sum, { count }) => sum + count, 0)
    return change > 0 ? [{ position, change }] : []
  })
}

async function usedUp(tx: Tx, { id, eventId }: RegistrationRow, purchaseId: number): Promise<NotRedeemed> {
  const purchase = (await findPurchases(tx, [id])).find((each) => each.id === purchaseId)
  const event = await findEvent(tx, eventId)
  return purchase?.scannedAt && event
    ? { voucher: purchase.name, at: purchase.scannedAt.toISOString(), timeZone: event.timeZone }
    : {}
}

/** Whether all of it can be redeemed, or taken back. */
function isEnough(units: readonly Unit[], changes: readonly UnitChange[]): boolean {
  return changes.every(({ position, change }) => {
    const unit = units.find((each) => each.position === position)
    return unit !== undefined && unit.redeemed + change >= 0 && unit.redeemed + change <= unit.quantity
  })
}

function notEnough(units: readonly Unit[], changes: readonly UnitChange[]): NotRedeemed {
  const short = units.find(({ position, quantity, redeemed }) => {
    const change = changes.find((each) => each.position === position)?.change ?? 0
    return redeemed + change > quantity
  })
  return short ? { unit: short.name, left: short.quantity - short.redeemed } : {}
}

/** Why nothing was redeemed, in words. */
export function notRedeemedText({ voucher, at, timeZone, unit, left }: NotRedeemed): string {
  if (unit !== undefined && left !== undefined) return texts.onlyLeft({ unit, left })
  return voucher !== undefined && at !== undefined && timeZone !== undefined
    ? texts.redeemedAt({ voucher, time: formatTime(new Date(at), timeZone) })
    : refusals.ALREADY_REDEEMED.msg()
}

function log(
  tx: Tx,
  { now, caller, registration, purchaseId }: Redemption,
  action: string,
  units: Units,
): Promise<void> {
  return logRegistration(tx, now, registration, { userId: caller.id, action, after: { purchaseId, units } })
}

function inNames(units: readonly Unit[], changes: readonly UnitChange[]): Units {
  return changes.map(({ position, change }) => ({
    name: units.find((unit) => unit.position === position)?.name ?? '',
    count: Math.abs(change),
  }))
}
