import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'

/** Where rows name files. */
const columns = [
  { table: 'users', column: 'image' },
  { table: 'clubs', column: 'logo' },
  { table: 'clubs', column: 'cover' },
  { table: 'events', column: 'banner' },
] as const
type ImageColumn = (typeof columns)[number]

/** The files that rows name, in the columns that `isThere`: a database of an older version has fewer. */
export async function listImagesInUse(
  db: Db,
  isThere: (column: ImageColumn) => boolean = () => true,
): Promise<Set<string>> {
  const selects = columns
    .filter(isThere)
    .map(({ table, column }) => sql`select ${sql.ref(column)} as file from ${sql.table(table)}`)
  const { rows } = await sql<{ file: string }>`${sql.join(selects, sql` union all `)}`.execute(db)
  return new Set(rows.map(({ file }) => file).filter((file) => file !== ''))
}

/** Whether a row names this file. */
export async function isImageInUse(db: Db, file: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('image as file')
    .where('image', '=', file)
    .unionAll(db.selectFrom('clubs').select('logo as file').where('logo', '=', file))
    .unionAll(db.selectFrom('clubs').select('cover as file').where('cover', '=', file))
    .unionAll(db.selectFrom('events').select('banner as file').where('banner', '=', file))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Which installation this database belongs to. */
export async function findInstallationId(db: Db): Promise<string> {
  const { id } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  return id
}

export async function isAnyClub(db: Db): Promise<boolean> {
  return (await db.selectFrom('clubs').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Stores exactly these files as named by no row, each with when it was first seen so, and returns those first seen by `seenBy`. */
export async function storeOrphans(
  db: Db,
  { names, now, seenBy }: { names: readonly string[]; now: Date; seenBy: Date },
): Promise<string[]> {
  // In a fixed order, so that two servers that sweep at once never deadlock.
  const sorted = [...names].sort()
  return db.transaction().execute(async (tx) => {
    await sql`delete from image_orphans where name <> all(${sorted}::text[])`.execute(tx)
    await sql`
      insert into image_orphans (name, first_seen_at) select unnest(${sorted}::text[]), ${now}
      on conflict do nothing`.execute(tx)
    const due = await tx.selectFrom('imageOrphans').select('name').where('firstSeenAt', '<=', seenBy).execute()
    return due.map(({ name }) => name)
  })
}
