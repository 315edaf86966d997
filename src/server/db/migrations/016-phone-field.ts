import { type Kysely, sql } from 'kysely'

const column = `
alter table events add column phone_field text not null default 'required'
  check (phone_field in ('required', 'optional', 'off'));
`

/** Whether an event's form asks for a phone number. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(column).execute(db)
}
