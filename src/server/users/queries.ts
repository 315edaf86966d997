import { sql } from 'kysely'
import type { Db, Tx } from '../db/schema.ts'

/** How many of these are events of the club. */
export async function countEvents(tx: Tx, clubId: number, eventIds: readonly number[]): Promise<number> {
  const { count } = await tx
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', 'in', eventIds)
    .where('clubId', '=', clubId)
    .where('removedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Removes a user. The sessions go with it. */
export async function deleteUser(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

/** A club's team, without helper passes, each with whether the latest invitation failed to arrive and whether they have a second factor. */
export async function listAdmins(db: Db, clubId: number) {
  return db
    .selectFrom('users')
    .selectAll('users')
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('mails')
            .select('mails.id')
            .whereRef('mails.userId', '=', 'users.id')
            .where('mails.kind', '=', 'invitation')
            .where('mails.status', '=', 'failed')
            .where((failed) =>
              failed.not(
                failed.exists(
                  failed
                    .selectFrom('mails as later')
                    .select('later.id')
                    .whereRef('later.userId', '=', 'users.id')
                    .whereRef('later.id', '>', 'mails.id')
                    .where('later.kind', '=', 'invitation'),
                ),
              ),
            ),
        )
        .$castTo<boolean>()
        .as('isUndelivered'),
    )
    .select(sql<boolean>`has_second_factor(users.id)`.as('hasSecondFactor'))
    .where('clubId', '=', clubId)
    .where('passMay', 'is', null)
    .orderBy('id')
    .execute()
}
