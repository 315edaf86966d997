import type { Payload } from '../../contract/endpoint.ts'
import { MOST_RECORDS, type personalDataApi } from '../../contract/personal-data.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnClub } from '../access/own-club.ts'
import { logChanges } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { erasePeople } from '../retention/queries.ts'
import { countErased, eraseOthers, findRecords, findRecordsByIds, lockRecords, type RecordIds } from './queries.ts'

/** What the club keeps about people whom the search finds. */
export async function findPersonalRecords(
  { db, now }: Deps,
  club: OwnClub,
  search: string,
): Promise<Payload<typeof personalDataApi.findRecords>> {
  // One more than shown tells whether there are more.
  const found = await findRecords(db, club, { now: now(), search, most: MOST_RECORDS + 1 })
  return { records: found.slice(0, MOST_RECORDS), hasMore: found.length > MOST_RECORDS }
}

/**
 * Deletes the personal data in records of the club, all in one transaction. What has to be kept for now stays, and is returned. What is
 * deleted already counts as deleted; what is of another club is left out.
 */
export async function deleteRecords(
  { db, now }: Deps,
  caller: AdminCaller,
  club: OwnClub,
  keys: readonly string[],
): Promise<Payload<typeof personalDataApi.deleteRecords>> {
  return db.transaction().execute(async (tx) => {
    const ids = readKeys(keys)
    await lockRecords(tx, club, ids)
    const records = await findRecordsByIds(tx, club, now(), ids)
    const before = await countErased(tx, club, ids)
    const free = records.filter(({ kept }) => kept === null)
    const erased = readKeys(free.map(({ key }) => key))
    await eraseOthers(tx, erased)
    if (erased.registrations.length > 0) await erasePeople(tx, erased.registrations, now())
    const what = { at: now(), clubId: club.id, userId: caller.id }
    await logChanges(tx, [
      ...erased.registrations.map((id) => ({
        ...what,
        subject: 'registration' as const,
        subjectId: id,
        action: 'data deleted',
      })),
      ...free
        .filter(({ kind }) => kind !== 'registration')
        .map(({ eventId }) => ({
          ...what,
          subject: 'event' as const,
          subjectId: eventId,
          action: 'data of a person deleted',
        })),
    ])
    return { deleted: before + free.length, kept: records.filter(({ kept }) => kept !== null) }
  })
}

/** The ids that keys of the contract name. */
export function readKeys(keys: readonly string[]): RecordIds {
  const parts = keys.map((key) => key.split(':'))
  const of = (kind: string) => parts.flatMap(([each, ...rest]) => (each === kind ? [rest] : []))
  return {
    registrations: of('registration').map(([id]) => Number(id)),
    holders: of('holder').map(([id, at]) => ({ registrationId: Number(id), at: new Date(Number(at)) })),
    conflicts: of('conflict').flatMap(([id]) => id ?? []),
    codes: of('code').map(([id]) => Number(id)),
  }
}
