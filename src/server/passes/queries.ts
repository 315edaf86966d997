import { type Expression, sql } from 'kysely'
import type { PassAbility } from '../../contract/permissions.ts'
import { IDLE_DAYS } from '../access/caller.ts'
import type { Db, Tx, UserRow } from '../db/schema.ts'

/** What staff choose. */
export interface PassFields {
  fullName?: string
  passMay?: PassAbility[]
  passPhones?: number
}

interface NewPass {
  clubId: number
  eventId: number
  fullName: string
  passMay: PassAbility[]
  passPhones: number
  passKey: string
  passHash: string
  passMadeBy: string
}

/** Adds a pass; null when there is one with this key. */
export async function insertPass(tx: Tx, { eventId, ...pass }: NewPass, now: Date): Promise<UserRow | null> {
  const row = await tx
    .insertInto('users')
    .values({
      ...pass,
      role: 'admin',
      teamRole: 'door',
      eventIds: [eventId],
      email: '',
      passwordHash: '',
      language: null,
      createdAt: now,
    })
    .onConflict((conflict) => conflict.column('passKey').where('passKey', 'is not', null).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

const isOf = (eventId: number) => sql<boolean>`pass_may is not null and event_ids[1] = ${eventId}`

/** A pass of the event by its id or key, locked. */
export async function lockPass(
  tx: Tx,
  eventId: number,
  by: { id: number } | { passKey: string },
): Promise<UserRow | null> {
  const row = await tx
    .selectFrom('users')
    .selectAll()
    .where(isOf(eventId))
    .where('id' in by ? sql<boolean>`id = ${by.id}` : sql<boolean>`pass_key = ${by.passKey}`)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function updatePass(
  tx: Tx,
  id: number,
  edit: PassFields & { passHash?: string; passRevokedAt?: Date },
): Promise<UserRow> {
  return tx.updateTable('users').set(edit).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** The passes of an event, the latest first. */
export async function listPasses(db: Db, eventId: number): Promise<UserRow[]> {
  return db.selectFrom('users').selectAll().where(isOf(eventId)).orderBy('id', 'desc').execute()
}

/** How many passes of the event have not been revoked. */
export async function countPasses(tx: Tx, eventId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isOf(eventId))
    .where('passRevokedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

const idleSince = (now: Date) => new Date(now.getTime() - IDLE_DAYS * 24 * 60 * 60_000)

/** The phones on which these passes are open, the latest used first. */
export async function listPhones(db: Db, ids: readonly number[], now: Date) {
  if (ids.length === 0) return []
  return db
    .selectFrom('sessions')
    .select(['userId', 'browser', 'system', 'lastUsedAt'])
    .where('userId', 'in', ids)
    .where('endedAt', 'is', null)
    .where('lastUsedAt', '>', idleSince(now))
    .orderBy('lastUsedAt', 'desc')
    .execute()
}

/** How many other phones than this one have the pass open. */
export async function countOtherPhones(tx: Tx, id: number, phoneHash: string, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', id)
    .where('phoneHash', '<>', phoneHash)
    .where('endedAt', 'is', null)
    .where('lastUsedAt', '>', idleSince(now))
    .executeTakeFirstOrThrow()
  return count
}

/** Ends the pass on all phones: they only send what they did before. */
export async function endPhones(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ endedAt: now }).where('userId', '=', id).where('endedAt', 'is', null).execute()
}

/** Ends the pass's session on this phone, which opens it again. */
export async function endPhone(tx: Tx, id: number, phoneHash: string): Promise<void> {
  await tx.deleteFrom('sessions').where('userId', '=', id).where('phoneHash', '=', phoneHash).execute()
}

/** The pass with this secret, with its club and event; undefined when there is none. */
export async function findPass(db: Db, passHash: string) {
  const eventId: Expression<number> = sql`users.event_ids[1]`
  return db
    .selectFrom('users')
    .innerJoin('clubs', 'clubs.id', 'users.clubId')
    .innerJoin('events', (join) => join.on('events.id', '=', eventId))
    .select([
      'users.id',
      'users.fullName as name',
      'users.passMay',
      'users.passRevokedAt',
      'clubs.name as clubName',
      'events.id as eventId',
      'events.name as eventName',
      'events.startsAt',
      'events.endsAt as eventEndsAt',
      'events.timeZone',
    ])
    .where('users.passHash', '=', passHash)
    .where('clubs.removedAt', 'is', null)
    .where('events.removedAt', 'is', null)
    .executeTakeFirst()
}
