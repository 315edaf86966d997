import type { PhoneQuota } from '../../contract/door.ts'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { WalkInQuota, walkInApi } from '../../contract/walk-ins.ts'
import * as texts from '../../texts/generated/api.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange } from '../db/changes.ts'
import type { Db, Tx } from '../db/schema.ts'
import { isCheckViolation } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { endHolds } from '../places/release-queries.ts'
import { lockEvent } from '../places/seat-queries.ts'
import * as queries from './queries.ts'

/**
 * Lets a phone keep so many places that nobody has got yet. More are taken at once, or SOLD_OUT; fewer are free once the phone has
 * confirmed it, because it may be giving them to people without network. Those of a lost phone are free at once. EDIT_CONFLICT when somebody
 * has changed them since the caller saw them.
 */
export async function giveWalkInPlaces(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  {
    phoneId,
    places,
    wanted: seen,
    used: seenUsed,
    isLost = false,
  }: Input<typeof walkInApi.giveWalkInPlaces>['payload'],
): Promise<WalkInQuota> {
  try {
    return await db.transaction().execute(async (tx) => {
      if (!(await lockEvent(tx, event.id))) throw new Refusal('NOT_FOUND')
      await endHolds(tx, [event.id], now())
      const known = await queries.findQuota(tx, event, phoneId)
      const phoneName = (await queries.findPhoneName(tx, event, phoneId)) ?? known?.phoneName
      if (phoneName === undefined) throw new Refusal('NOT_FOUND')
      const before = { phoneId, granted: 0, used: 0, wanted: 0, ...known, phoneName }
      const wanted = before.used + places
      if (seen !== undefined && seen !== before.wanted) {
        // One that arrives again, because its answer was lost, finds its own change, although the phone may have used places since.
        if ((seenUsed ?? before.used) + places !== before.wanted) throw new Refusal('EDIT_CONFLICT')
        // Free at once, unlike what another caller may have asked for.
        if (!isLost || before.granted === before.wanted) return before
      }
      const granted = isLost ? wanted : Math.max(before.granted, wanted)
      const after = { ...before, wanted, granted }
      await store(tx, event.id, before, after)
      if (wanted !== before.wanted || granted !== before.granted)
        await logChange(tx, now(), {
          ...{ clubId: event.clubId, userId: caller.id, subject: 'event', subjectId: event.id },
          action: isLost ? 'places of a lost phone' : 'places for walk-ins',
          before: { name: before.phoneName, walkInPlaces: before.wanted - before.used },
          after: { name: before.phoneName, walkInPlaces: places },
        })
      return after
    })
  } catch (error) {
    if (!isCheckViolation(error, 'events_capacity')) throw error
    throw new Refusal('SOLD_OUT', { fields: [{ path: 'payload.places', msg: texts.notSoManyFree }] })
  }
}

/** A phone confirms that it keeps no more than it is to have; what it keeps less is free. */
export async function confirmWalkInPlaces(
  { db }: Deps,
  event: OwnEvent,
  phoneId: string,
  granted: number,
): Promise<PhoneQuota> {
  return db.transaction().execute(async (tx) => {
    const locked = await lockEvent(tx, event.id)
    if (!locked) throw new Refusal('NOT_FOUND')
    const before = await queries.findQuota(tx, event, phoneId)
    if (before) {
      // An answer that comes late must not take back what the board has given since.
      const kept = Math.max(before.used, before.wanted, Math.min(before.granted, granted))
      await store(tx, event.id, before, { ...before, granted: kept })
    }
    return quotaOf(tx, event, phoneId, locked.maxAttendees !== null)
  })
}

/** What a phone needs to know to add people without network. */
export async function quotaOf(db: Db, event: OwnEvent, phoneId: string, isLimited: boolean): Promise<PhoneQuota> {
  const { granted = 0, used = 0, wanted = 0 } = (await queries.findQuota(db, event, phoneId)) ?? {}
  return { isLimited, granted, used, wanted }
}

async function store(tx: Tx, eventId: number, before: WalkInQuota, after: WalkInQuota): Promise<void> {
  await queries.storeQuota(tx, eventId, after)
  await queries.changeWalkInPlaces(tx, eventId, after.granted - after.used - (before.granted - before.used))
}
