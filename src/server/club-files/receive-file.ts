import type { ClubImport, clubFileApi } from '../../contract/club-files.ts'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { OwnClub } from '../access/own-club.ts'
import type { Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { limitTries } from '../limits/limit-tries.ts'
import { lockClub } from '../records/club-queries.ts'
import * as queries from './import-queries.ts'

interface Wanted {
  clubId: number
  userId: number
  key: string
  parts: number
}

/** Begins to receive a club's file. The same key again changes nothing. Refuses with CLUB_NOT_EMPTY where the club has events, and with
 * IMPORTS_OFF. */
export async function startImport(deps: Deps, { clubId, ...wanted }: Wanted): Promise<ClubImport> {
  const { db, now, settings } = deps
  if (!settings.clubImports) throw new Refusal('IMPORTS_OFF')
  const known = await queries.findImport(db, clubId)
  if (known?.key === wanted.key) return known
  await limitTries(deps, [{ rule: 'club files of a person', of: `user ${wanted.userId}` }])
  return db.transaction().execute(async (tx) => {
    if (!(await lockClub(tx, clubId))) throw new Refusal('NOT_FOUND')
    const before = await queries.lockImport(tx, clubId)
    if (before?.key === wanted.key) return found(tx, clubId)
    // Its events may be there at any moment.
    if (before?.state === 'waiting' || (await queries.hasEvents(tx, clubId))) throw new Refusal('CLUB_NOT_EMPTY')
    await queries.beginImport(tx, { clubId, ...wanted, beganAt: now() })
    return found(tx, clubId)
  })
}

type Part = Input<typeof clubFileApi.sendImportPart>['payload']

/** Stores a part of the file; with the last one, the file waits to be imported. Refuses with IMPORT_NOT_STARTED when another file is expected. */
export async function receivePart({ db, now }: Deps, club: OwnClub, { key, part, content }: Part): Promise<ClubImport> {
  // A part that is sent again may come late. While the file is imported, its row is locked.
  const known = await queries.findImport(db, club.id)
  if (known?.key === key && known.state !== 'sending') return known
  return db.transaction().execute(async (tx) => {
    if (!(await lockClub(tx, club.id))) throw new Refusal('NOT_FOUND')
    const file = await queries.lockImport(tx, club.id)
    if (file?.key !== key || part >= file.parts) throw new Refusal('IMPORT_NOT_STARTED')
    if (file.state !== 'sending') return found(tx, club.id)
    await queries.storePart(tx, club.id, part, Buffer.from(content, 'base64'))
    const { received } = await found(tx, club.id)
    if (received === file.parts) await queries.markWaiting(tx, club.id, now())
    return found(tx, club.id)
  })
}

async function found(tx: Tx, clubId: number): Promise<ClubImport> {
  const row = await queries.findImport(tx, clubId)
  if (!row) throw new Error('An import that was just written is not there.')
  return row
}
