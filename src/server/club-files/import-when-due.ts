import type { ImportFailure } from '../../contract/club-files.ts'
import { Refusal } from '../../contract/errors.ts'
import { withPatientDb } from '../db/connections/patient.ts'
import type { ClubImportRow } from '../db/schema.ts'
import { isCollision, isTaken } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { describeError, isUnavailable } from '../describe-error.ts'
import { type Loop, startLoop } from '../start-loop.ts'
import { WrongClubFile } from './file-format.ts'
import { importFile } from './import-club.ts'
import * as queries from './import-queries.ts'

/** When an import is tried again, in ms. While one is under way its row is locked, so that no other server takes it even after that. */
const AGAIN_MS = 60_000
const MOST_TRIES = 5

/** Imports the file that has waited longest; false when none waits. */
export async function importWhenDue(deps: Deps, signal?: AbortSignal): Promise<boolean> {
  const { db, now, log } = deps
  const file = await queries.takeImport(db, now(), new Date(now().getTime() + AGAIN_MS))
  if (!file) return false
  try {
    if (file.tries > MOST_TRIES) throw new WrongClubFile('not possible', 'It was tried too often.')
    await withPatientDb(deps.address, (own) => own.transaction().execute((tx) => importFile(deps, tx, file)))
    log.info({ clubId: file.clubId }, 'club imported')
  } catch (error) {
    if (signal?.aborted) await queries.postponeImport(db, file, now())
    else await giveUp(deps, file, error)
  }
  return true
}

/** Imports files of clubs in the background until stopped. */
export function startClubImports(deps: Deps): Pick<Loop, 'stop'> {
  const stopping = new AbortController()
  const loop = startLoop(deps, 'club imports', () => importWhenDue(deps, stopping.signal))
  return {
    stop: async () => {
      stopping.abort(new Error('The server stops.'))
      await loop.stop()
    },
  }
}

/** Says why a file was not imported, or tries it again later. */
async function giveUp({ db, now, log }: Deps, file: ClubImportRow, error: unknown): Promise<void> {
  const { clubId, tries } = file
  const reason = reasonOf(error)
  log.warn({ clubId, tries, reason, why: whyOf(error) }, 'club not imported')
  if (reason === null) return queries.postponeImport(db, file, new Date(now().getTime() + tries * AGAIN_MS))
  await db.transaction().execute(async (tx) => {
    const latest = await queries.lockImport(tx, clubId)
    if (latest?.key === file.key && latest.state === 'waiting')
      await queries.endImport(tx, clubId, { state: 'failed', reason, counts: null, endedAt: now() })
  })
}

/** Why a file cannot be imported; null for what may pass when it is tried again. */
function reasonOf(error: unknown): ImportFailure | null {
  if (error instanceof WrongClubFile) return error.reason
  if (error instanceof Refusal && error.code !== 'INVALID_INPUT') return null
  const { code, message } = describeError(error)
  if (isUnavailable(code, message) || isCollision(error)) return null
  return isTaken(error) ? 'here already' : 'damaged'
}

/** The part of an error that helps to find its cause, without anything from the file. */
function whyOf(error: unknown): string {
  if (error instanceof WrongClubFile) return error.message
  const constraint =
    typeof error === 'object' && error !== null && 'constraint' in error ? String(error.constraint) : ''
  const name = error instanceof Error ? error.name : 'unknown'
  return `${name} ${describeError(error).code} ${constraint}`.trim()
}
