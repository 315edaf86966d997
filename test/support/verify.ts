import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../../src/server/db/schema.ts'

/** Reads the database after a race or a fault and checks what must always be true. */
export async function verify(db: Db): Promise<void> {
  const broken = async (what: string, query: ReturnType<typeof sql>) => {
    const { rows } = await query.execute(db)
    expect(rows, what).toEqual([])
  }
  await broken(
    'seats: the count is that of the rows, and within capacity',
    sql`select e.id, e.registration_count, count(r.id)::int as rows from events e
        left join registrations r on r.event_id = e.id and r.status <> 'cancelled'
        group by e.id having e.registration_count <> count(r.id) or e.registration_count > e.max_attendees`,
  )
  await broken(
    'nobody is registered twice',
    sql`select event_id, lower(email), lower(name) from registrations where status <> 'cancelled' and email <> ''
        group by 1, 2, 3 having count(*) > 1`,
  )
  await broken(
    'each confirmed registration has its ticket mail',
    sql`select r.id from registrations r where r.status = 'confirmed' and r.email <> ''
        and not exists (select from mails m where m.registration_id = r.id and m.kind = 'ticket')`,
  )
  await broken(
    'each registration has its row in the log',
    sql`select r.id from registrations r
        where not exists (select from changes c where c.subject = 'registration' and c.subject_id = r.id)`,
  )
  await broken('one check-in a registration', sql`select registration_id from checkins group by 1 having count(*) > 1`)
  await broken(
    'each check-in and each undoing has its row in the log',
    sql`select c.registration_id from checkins c left join changes l
        on l.subject = 'checkin' and l.subject_id = c.registration_id
        group by c.registration_id, c.status
        having count(*) filter (where l.action = 'checked in') - count(*) filter (where l.action = 'undone') <> c.status::int`,
  )
}
