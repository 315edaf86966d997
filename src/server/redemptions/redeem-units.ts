import type { Input } from '../../contract/endpoint.ts'
import { Refusal, refusals } from '../../contract/errors.ts'
import type { ExtrasPurchase } from '../../contract/extras.ts'
import type { redemptionApi } from '../../contract/redemptions.ts'
import { formatTime } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/api.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChanges } from '../db/changes.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import type { NotRedeemed } from '../db/tables/door.ts'
import type { Deps } from '../deps.ts'
import { lockRegistration } from '../records/registration-queries.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import { changeUnits, lockUnits, registrationOf, type UnitChange } from './queries.ts'

export type Units = NonNullable<Input<typeof redemptionApi.scanByExtrasPurchaseId>['payload']['units']>
type Unit = Awaited<ReturnType<typeof lockUnits>>[number]

/** A redemption to make, or to take back. */
export interface Redemption {
  caller: AdminCaller
  event: OwnEvent
  /** The voucher's registration; locked, and of this event. */
  registration: RegistrationRow
  purchaseId: number
  /** Undefined for all that is left, or all that was redeemed. */
  wanted: Units | undefined
}

/** The units redeemed of a voucher; or why none were. */
export type Redeemed = { units: Units; problem: null } | { problem: NotRedeemed }

/**
 * Redeems units of vouchers, or all that is left of them; no voucher may be in two of the redemptions. Each has its own answer: INVALID_INPUT
 * for one that asks for what its voucher does not hold.
 */
export async function redeemUnits(
  tx: Tx,
  now: Date,
  redemptions: readonly Redemption[],
): Promise<(Redeemed | Refusal)[]> {
  if (redemptions.length === 0) return []
  const locked = await lockUnits(
    tx,
    redemptions.map(({ purchaseId }) => purchaseId),
  )
  const judged = redemptions.map((redemption) => {
    const units = locked.filter(({ purchaseId }) => purchaseId === redemption.purchaseId)
    return { redemption, units, judgement: judge(units, redemption.wanted) }
  })
  const made = judged.flatMap(({ redemption, units, judgement }) =>
    judgement.kind === 'enough' ? [{ redemption, changes: judgement.changes, units }] : [],
  )
  await changeUnits(
    tx,
    made.flatMap(({ changes }) => changes),
    now,
  )
  await logChanges(
    tx,
    made.map(({ redemption, units, changes }) => logged(now, redemption, 'voucher redeemed', inNames(units, changes))),
  )
  const purchases = await findPurchases(
    tx,
    judged.flatMap(({ redemption, judgement }) => (judgement.kind === 'used up' ? [redemption.registration.id] : [])),
  )
  return judged.map(({ redemption, units, judgement }) => {
    if (judgement.kind === 'enough') return { units: inNames(units, judgement.changes), problem: null }
    if (judgement.kind === 'used up') return { problem: lastUse(redemption, purchases) }
    return judgement.kind === 'short' ? { problem: judgement.problem } : judgement.refusal
  })
}

type Judgement =
  | { kind: 'enough'; changes: UnitChange[] }
  | { kind: 'short'; problem: NotRedeemed }
  | { kind: 'used up' }
  | { kind: 'unknown'; refusal: Refusal }

/** Whether a voucher with these units holds what is wanted, and what changes then. */
function judge(units: readonly Unit[], wanted: Units | undefined): Judgement {
  const left = units.filter(({ redeemed, quantity }) => redeemed < quantity)
  const unknown = wanted && refusalOfUnknown(units, wanted)
  if (unknown) return { kind: 'unknown', refusal: unknown }
  if (left.length === 0) return { kind: 'used up' }
  const changes = wanted
    ? changesFor(units, wanted)
    : left.map(({ purchaseId, position, quantity, redeemed }) => ({
        purchaseId,
        position,
        change: quantity - redeemed,
      }))
  if (!isEnough(units, changes)) return { kind: 'short', problem: notEnough(units, changes) }
  return { kind: 'enough', changes }
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
    const redemption = { caller, registration, purchaseId: extrasPurchaseId, wanted }
    if (!(await takeUnitsBack(tx, now(), redemption)))
      throw new Refusal('ILLEGAL_TRANSITION', { msg: texts.notRedeemed })
    const found = (await findPurchases(tx, [registration.id])).find(({ id }) => id === extrasPurchaseId)
    if (!found) throw new Refusal('NOT_FOUND')
    return found
  })
}

/** Takes units back, or all; false when fewer were redeemed. Refuses with INVALID_INPUT what the voucher does not hold. */
export async function takeUnitsBack(tx: Tx, now: Date, redemption: Omit<Redemption, 'event'>): Promise<boolean> {
  const { purchaseId, wanted } = redemption
  const units = await lockUnits(tx, [purchaseId])
  const unknown = wanted && refusalOfUnknown(units, wanted)
  if (unknown) throw unknown
  const used = units.filter(({ redeemed }) => redeemed > 0)
  const changes = wanted
    ? changesFor(units, wanted).map(({ change, ...unit }) => ({ ...unit, change: -change }))
    : used.map(({ position, redeemed }) => ({ purchaseId, position, change: -redeemed }))
  if (changes.length === 0 || !isEnough(units, changes)) return false
  await changeUnits(tx, changes, now)
  await logChanges(tx, [logged(now, redemption, 'redemption undone', inNames(units, changes))])
  return true
}

/** The refusal of units that a voucher does not hold; null when it holds all of them. */
function refusalOfUnknown(units: readonly Unit[], wanted: Units): Refusal | null {
  const fields = wanted.flatMap(({ name }, index) =>
    units.some((unit) => unit.name === name) ? [] : [{ path: `payload.units.${index}.name`, msg: texts.notInVoucher }],
  )
  return fields.length > 0 ? new Refusal('INVALID_INPUT', { fields }) : null
}

/** The units by their names, in a fixed order; a name given twice is added up. */
function changesFor(units: readonly Unit[], wanted: Units): UnitChange[] {
  return units.flatMap(({ name, purchaseId, position }) => {
    const change = wanted.filter((each) => each.name === name).reduce((sum, { count }) => sum + count, 0)
    return change > 0 ? [{ purchaseId, position, change }] : []
  })
}

/** When a voucher was last redeemed. */
function lastUse({ event, purchaseId }: Redemption, purchases: readonly ExtrasPurchase[]): NotRedeemed {
  const purchase = purchases.find(({ id }) => id === purchaseId)
  return purchase?.scannedAt
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

/** A redemption as it stands in the history. */
function logged(
  at: Date,
  { caller, registration, purchaseId }: Omit<Redemption, 'event'>,
  action: string,
  units: Units,
) {
  const { id: subjectId, clubId } = registration
  return {
    at,
    clubId,
    userId: caller.id,
    subject: 'registration' as const,
    subjectId,
    action,
    after: { purchaseId, units },
  }
}

function inNames(units: readonly Unit[], changes: readonly UnitChange[]): Units {
  return changes.map(({ position, change }) => ({
    name: units.find((unit) => unit.position === position)?.name ?? '',
    count: Math.abs(change),
  }))
}
