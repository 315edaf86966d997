import { sql } from 'kysely'
import type { Db } from './schema.ts'

/** Writes that this server is alive. It fails where the database takes no writes: full, read-only, away. */
export async function beat(db: Db, server: string): Promise<void> {
  await sql`
    with old as (delete from heartbeats where at < clock_timestamp() - interval '1 day')
    insert into heartbeats (server, at) values (${server}::uuid, clock_timestamp())
    on conflict (server) do update set at = excluded.at
  `.execute(db)
}
