import { type Kysely, sql } from 'kysely'

const columns = `
-- By language and place, the text that stood there when it was last translated: {"de": {"name": "Summer party"}}.
alter table events add column translated_places jsonb not null default '{}';
-- The translation of an earlier description was kept under an empty text.
update events set translated_places = (
  select jsonb_object_agg(l.key, jsonb_build_object('name', name, 'description', case when l.value ? '' then '' else description end))
  from jsonb_each(translations) l
) where translations <> '{}';
`

/** Which text was translated at each place of an event, so that its translation helps when the text is changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(columns).execute(db)
}
