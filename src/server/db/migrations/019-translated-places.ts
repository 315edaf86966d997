import { type Kysely, sql } from 'kysely'

const columns = `
-- By the place of a text in the event, the text that stood there when it was last translated: {"name": "Summer party"}.
alter table events add column translated_places jsonb not null default '{}';
update events set translated_places = jsonb_build_object('name', name, 'description', description) where translations <> '{}';
-- The translation of an earlier description had no text to be found by.
update events set translations = (select jsonb_object_agg(l.key, l.value - '') from jsonb_each(translations) l)
where exists (select from jsonb_each(translations) l where l.value ? '');
`

/** Which text was translated at each place of an event, so that its translation helps when the text is changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(columns).execute(db)
}
