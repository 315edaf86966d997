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
  return list && list.size > 0 ? { size: list.size, uploadedAt: list.uploadedAt } : null
}

/**
 * Replaces the members of a club, all at once. Only their hashes are kept. Tickets that members have stay as they are, and so does who they
 * are: a number or an address that the list had before names the same member.
 */
export async function saveMembers(
  { db, now }: Deps,
  caller: AdminCaller,
  { id: clubId }: OwnClub,
  { members }: Input<typeof clubMemberApi.saveMembers>['payload'],
): Promise<MemberList | null> {
  const uploadedAt = now()
  // The key stays: tickets that members have are recognized by it.
  const { key } = await queries.ensureMemberList(db, { clubId, key: randomBytes(32), size: 0, uploadedAt })
  const rows = await hashed(key, members, await queries.findAllMembers(db, clubId))
  const size = new Set(rows.map(({ member }) => member)).size
  await db.transaction().execute(async (tx) => {
    const before = await queries.lockMemberList(tx, clubId)
    await queries.deleteMembers(tx, clubId)
    await queries.insertMembers(tx, clubId, rows)
    await queries.storeMemberList(tx, { clubId, size, uploadedAt })
    await logChange(tx, uploadedAt, {
      ...{ clubId, userId: caller.id, subject: 'club', subjectId: clubId, action: 'members replaced' },
      before: { members: before.size },
      after: { members: size },
    })
  })
  return size > 0 ? { size, uploadedAt } : null
}

/** After so many rows others have their turn. */
const AT_ONCE = 1_000

interface Hashed {
  hash: string
  member: string
}

/**
 * A row for each number and address. Somebody with a number is a member of their own, also with an address that others have too: it then
 * stands for the first of them. `before` has the members of the last list by hash.
 */
async function hashed(
  listKey: Buffer,
  members: readonly Member[],
  before: ReadonlyMap<string, string>,
): Promise<Hashed[]> {
  const rows = new Map<string, string>()
  /** Who had only an address, and has a number now. */
  const addressAlone = (byEmail: string | null | undefined) =>
    byEmail && before.get(byEmail) === byEmail && !rows.has(byEmail) ? byEmail : undefined
  // Numbers first, so that whoever has only an address that one of them has is the same member.
  const inTurn = [...members.filter(({ number }) => number !== ''), ...members.filter(({ number }) => number === '')]
  for (const [index, { number, email }] of inTurn.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve))
    const [byNumber, byEmail] = [memberKey(number), memberKey(email)].map((key) => key && hashOfMember(listKey, key))
    const first = byNumber ?? byEmail
    if (!first) continue
    const member = rows.get(first) ?? before.get(first) ?? addressAlone(byEmail) ?? first
    rows.set(first, member)
    if (byEmail && !rows.has(byEmail)) rows.set(byEmail, member)
  }
  return [...rows].map(([hash, member]) => ({ hash, member }))
}
