import { randomBytes } from 'node:crypto'
import { type clubMemberApi, type Member, type MemberList, memberKey } from '../../contract/club-members.ts'
import type { Input } from '../../contract/endpoint.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnClub } from '../access/own-club.ts'
import { logChange } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { hashOfMember } from './hash.ts'
import * as queries from './queries.ts'

/** The list of a club as staff see it. */
export async function readMemberList({ db }: Pick<Deps, 'db'>, clubId: number): Promise<MemberList | null> {
  const list = await queries.findMemberList(db, clubId)
  return list && list.size > 0 ? list : null
}

/** Replaces the members of a club, all at once. Only their hashes are kept. Tickets that members have stay as they are. */
export async function saveMembers(
  { db, now }: Deps,
  caller: AdminCaller,
  { id: clubId }: OwnClub,
  { members }: Input<typeof clubMemberApi.saveMembers>['payload'],
): Promise<MemberList | null> {
  const uploadedAt = now()
  const size = await db.transaction().execute(async (tx) => {
    // The key stays: tickets that members have are recognized by it.
    const list = await queries.lockMemberList(tx, { clubId, key: randomBytes(32), size: 0, uploadedAt })
    const rows = hashed(list.key, members)
    await queries.deleteMembers(tx, clubId)
    await queries.insertMembers(tx, clubId, rows)
    const count = new Set(rows.map(({ member }) => member)).size
    await queries.storeMemberList(tx, { clubId, size: count, uploadedAt })
    await logChange(tx, uploadedAt, {
      ...{ clubId, userId: caller.id, subject: 'club', subjectId: clubId, action: 'members replaced' },
      before: { members: list.size },
      after: { members: count },
    })
    return count
  })
  return size > 0 ? { size, uploadedAt } : null
}

/** A row for each number and address. People who share one are the same member. */
function hashed(listKey: Buffer, members: readonly Member[]): { hash: string; member: string }[] {
  const known = new Map<string, string>()
  for (const { number, email } of members) {
    const keys = [memberKey(number), memberKey(email)].flatMap((key) => (key === null ? [] : [key]))
    const hashes = keys.map((key) => hashOfMember(listKey, key))
    const member = hashes.map((hash) => known.get(hash)).find((each) => each !== undefined) ?? hashes[0]
    if (member !== undefined) for (const hash of hashes) if (!known.has(hash)) known.set(hash, member)
  }
  return [...known].map(([hash, member]) => ({ hash, member }))
}
