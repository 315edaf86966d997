import { sql } from 'kysely'
import { unplanned } from '../db/planner.ts'
import type { Db, MemberListRow, Tx } from '../db/schema.ts'

export async function findMemberList(db: Db, clubId: number): Promise<MemberListRow | undefined> {
  return db.selectFrom('memberLists').selectAll().where('clubId', '=', clubId).executeTakeFirst()
}

/** The list of a club; this one if it had none. */
export async function ensureMemberList(db: Db, list: MemberListRow): Promise<MemberListRow> {
  await db
    .insertInto('memberLists')
    .values(list)
    .onConflict((conflict) => conflict.column('clubId').doNothing())
    .execute()
  return db.selectFrom('memberLists').selectAll().where('clubId', '=', list.clubId).executeTakeFirstOrThrow()
}

/** The list of a club, locked until the transaction ends, so that lists uploaded at the same moment replace each other whole. */
export async function lockMemberList(tx: Tx, clubId: number): Promise<MemberListRow> {
  return tx.selectFrom('memberLists').selectAll().where('clubId', '=', clubId).forUpdate().executeTakeFirstOrThrow()
}

/** All members of a club by hash. */
export async function findAllMembers(db: Db, clubId: number): Promise<Map<string, string>> {
  const rows = await db.selectFrom('clubMembers').select(['hash', 'member']).where('clubId', '=', clubId).execute()
  return new Map(rows.map(({ hash, member }) => [hash, member]))
}

export async function storeMemberList(tx: Tx, { clubId, size, uploadedAt }: Omit<MemberListRow, 'key'>): Promise<void> {
  await tx.updateTable('memberLists').set({ size, uploadedAt }).where('clubId', '=', clubId).execute()
}

export async function deleteMembers(tx: Tx, clubId: number): Promise<void> {
  await tx.deleteFrom('clubMembers').where('clubId', '=', clubId).execute()
}

interface Hashed {
  hash: string
  member: string
}

export async function insertMembers(tx: Tx, clubId: number, rows: readonly Hashed[]): Promise<void> {
  await sql`
    insert into club_members (club_id, hash, member)
    select ${clubId}, m.hash, m.member
    from unnest(${rows.map(({ hash }) => hash)}::text[], ${rows.map(({ member }) => member)}::text[]) as m (hash, member)
  `.execute(tx)
}

/** The members with these hashes, by hash. */
export async function findMembersByHash(
  tx: Tx,
  clubId: number,
  hashes: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<Hashed>`
    select hash, member from club_members where club_id = ${clubId} and hash = any(${hashes}::text[])
  `.execute(tx)
  return new Map(rows.map(({ hash, member }) => [hash, member]))
}

/** How many live tickets of each type these members have for an event. */
export async function countMemberTickets(
  tx: Tx,
  eventId: number,
  members: readonly string[],
): Promise<{ member: string; ticketTypeId: number; count: number }[]> {
  const { rows } = await sql<{ member: string; ticketTypeId: number; count: number }>`
    select r.member, t.id as ticket_type_id, count(*)::int as count
    from registrations r
    join ticket_types t on t.event_id = r.event_id and (t.id = r.ticket_type_id or t.is_first and r.ticket_type_id is null)
    where r.event_id = ${unplanned(eventId)} and r.member = any(${members}::text[]) and r.status <> 'cancelled'
    group by 1, 2
  `.execute(tx)
  return rows
}
