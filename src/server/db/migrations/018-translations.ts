import { type Kysely, sql } from 'kysely'

const columns = `
-- By language and the text in the club's main language: {"de": {"Summer party": "Sommerfest"}}.
alter table events add column translations jsonb not null default '{}';
-- [{"language": "de", "text": "Wir rudern."}]
alter table clubs add column descriptions jsonb not null default '[]';
-- The HTML of the description in the main language has no language.
alter table event_descriptions add column language text not null default '';
alter table event_descriptions drop constraint event_descriptions_pkey, add primary key (event_id, language);
`

/** What clubs write in other languages than their main one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(columns).execute(db)
}
