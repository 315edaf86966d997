import type pg from 'pg'

/** Not those that PostgreSQL or an extension brings. */
const isOwn = (catalog: string, namespace: string, oid = 'oid') => `
  ${namespace} in (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
  and not exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e')`

/** Everything that somebody can have made in a database server, by its kind and name. Definitions are left out: versions write them differently. */
const THINGS = `
  select 'table, view or index ' || oid::regclass as thing from pg_class
    where relkind in ('r', 'p', 'v', 'm', 'f', 'S', 'i', 'I') and ${isOwn('pg_class', 'relnamespace')}
  union all select 'column ' || attrelid::regclass || '.' || attname from pg_attribute join pg_class c on c.oid = attrelid
    where attnum > 0 and not attisdropped and c.relkind in ('r', 'p') and ${isOwn('pg_class', 'c.relnamespace', 'c.oid')}
  union all select 'constraint ' || conname || ' of ' || conrelid::regclass from pg_constraint
    where conrelid <> 0 and contype <> 'n' and ${isOwn('pg_constraint', 'connamespace')}
  union all select 'trigger ' || tgname || ' of ' || tgrelid::regclass from pg_trigger where not tgisinternal
  union all select 'function ' || oid::regprocedure from pg_proc where ${isOwn('pg_proc', 'pronamespace')}
  union all select 'type ' || oid::regtype from pg_type where typtype in ('d', 'e', 'r') and ${isOwn('pg_type', 'typnamespace')}
  union all select 'schema ' || nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
  union all select 'extension ' || extname from pg_extension
  union all select 'large object ' || oid from pg_largeobject_metadata
  union all select 'database ' || datname from pg_database
    where datname <> current_database() and not datistemplate and datname !~ '^turnout_check_'
  union all select 'user ' || rolname from pg_roles where rolname !~ '^pg_'
  union all select 'setting ' || setting from pg_db_role_setting cross join unnest(setconfig) setting
  union all select 'setting ' || name || '=' || setting from pg_file_settings where sourcefile like '%/postgresql.auto.conf'
  order by 1`

/** What is in this server's database and around it, in words. */
export async function listThings(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ thing: string }>(THINGS)
  return rows.map(({ thing }) => thing)
}
