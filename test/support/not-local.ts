import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../src/server/db/schema.ts'

const server = join(import.meta.dirname, '../../src/server')

/** What of the schema is not local to one club, one line each: tables, unique indexes and foreign keys without the club's id. */
export async function findNotLocal(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with columns as (
      select c.oid, c.relname, a.attnum, a.attname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
    ),
    lines as (
      select 'table ' || relname as line from columns group by relname having bool_and(attname <> 'club_id')
      union
      select 'unique ' || c.relname || ' ' || substring(pg_get_indexdef(i.indexrelid) from 'USING [a-z]+ (.*)$')
      from pg_index i join columns c on c.oid = i.indrelid
      where i.indisunique
      group by i.indexrelid, i.indkey, c.relname having not bool_or(c.attnum = any(i.indkey) and c.attname = 'club_id')
      union
      select 'foreign key ' || c.relname || ' ' || substring(pg_get_constraintdef(f.oid) from 'FOREIGN KEY (.*)$')
      from pg_constraint f join columns c on c.oid = f.conrelid
      where f.contype = 'f'
      group by f.oid, f.conkey, c.relname having not bool_or(c.attnum = any(f.conkey) and c.attname = 'club_id')
    )
    select line from lines order by line
  `.execute(db)
  return rows.map(({ line }) => line)
}

/** Whether a statement looks for rows by the club's id, or just adds some of a club; to read or carry the id is not enough. */
const isLocal = (query: string) => /\bclub_id\s*=/.test(query) || /^\W*insert into \w+ \([^)]*\bclub_id\b/.test(query)

/** The statements on tables that are sent most often and are not local to a club, in files of the server. */
export function hotStatementsWithoutClub(): string[] {
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return files
    .flatMap((file) => {
      const text = readFileSync(join(server, file), 'utf8')
      const found = text.matchAll(/ = statement<.*?>\(\s*'(?<name>[^']+)',(?<query>[\s\S]*?)\n(?=\)|\n|const )/g)
      return [...found].flatMap(({ groups: { name = '', query = '' } = {} }) => {
        // A query that is put together has its parts in the same file.
        const whole = query.includes('`') || query.includes("'") ? query : text
        return isLocal(whole) ? [] : [`statement “${name}”`]
      })
    })
    .sort()
}
