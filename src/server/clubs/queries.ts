import type { Insertable, Updateable } from 'kysely'
import type { ClubRow, ClubTable, Db, Tx } from '../db/schema.ts'

export async function findClub(db: Db, id: number): Promise<ClubRow | undefined> {
  return db.selectFrom('clubs').selectAll().where('id', '=', id).executeTakeFirst()
}

/** All clubs, newest first, each with its number of events. */
export async function listClubs(db: Db) {
  return db
    .selectFrom('clubs')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('events')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('events.clubId', '=', 'clubs.id')
        .$asScalar()
        .$notNull()
        .as('eventCount'),
    )
    .orderBy('id', 'desc')
    .execute()
}

export async function insertClub(tx: Tx, club: Insertable<ClubTable>): Promise<ClubRow> {
  return tx.insertInto('clubs').values(club).returningAll().executeTakeFirstOrThrow()
}

export async function updateClub(tx: Tx, id: number, edit: Updateable<ClubTable>): Promise<ClubRow> {
  return tx.updateTable('clubs').set(edit).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}
