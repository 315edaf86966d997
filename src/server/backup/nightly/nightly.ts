import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from '../../db/on-client.ts'
import type { Deps } from '../../deps.ts'
import { describeError } from '../../describe-error.ts'
import { type Loop, startLoop } from '../../start-loop.ts'
import { makeBackup } from '../make-backup.ts'
import type { BackupPlace } from './backup-place.ts'
import { backupName } from './kept-backups.ts'
import { findBackupState, keepTurn, storeFailure, storeGood, takeTurn } from './state-queries.ts'
import { verifyBackup } from './verify-backup.ts'

const HOUR = 60 * 60_000
/** The hour of the night, by the server's own clock. */
const AT_HOUR = 3
/** A backup whose server has not been heard of for so long was killed; another server makes it. */
const LOST_MS = 6 * HOUR
/** How often a server says that it is still at it. */
const ALIVE_MS = 10 * 60_000
const AGAIN_MS = HOUR
/** A server that has just started has other things to do. */
const AFTER_START_MS = 10 * 60_000

interface Nightly {
  address: Address
  place: BackupPlace
  /** Called when the database has just been proven by a backup. */
  onGood?: () => Promise<void>
  signal?: AbortSignal
  /** How often the turn is kept, in ms. */
  aliveMs?: number
}

type Server = Pick<Deps, 'db' | 'images' | 'now' | 'log'>

/**
 * Makes the nightly backup when it is due and no other server has taken the turn, proves it, and removes those that are no longer needed. One
 * that fails is tried again after an hour. Returns whether there was anything to do.
 */
export async function backUpWhenDue(server: Server, nightly: Nightly): Promise<boolean> {
  const { db, now } = server
  const goodAt = now()
  const lostAt = () => new Date(now().getTime() + LOST_MS)
  const turn = await takeTurn(db, goodAt, lostAt())
  if (turn === null) return false
  const lost = new AbortController()
  const keeping = setInterval(async () => {
    // A database that does not answer now says nothing; the next time will.
    if (!(await keepTurn(db, turn, lostAt()).catch(() => true))) lost.abort(new Error('Another server took the turn.'))
  }, nightly.aliveMs ?? ALIVE_MS)
  try {
    const signal = AbortSignal.any([lost.signal, ...(nightly.signal ? [nightly.signal] : [])])
    await backUp(server, { ...nightly, signal, turn, goodAt })
  } catch (error) {
    // A stop is no failure: whichever server runs next makes it.
    const isStopped = nightly.signal?.aborted ?? false
    if (!isStopped) server.log.error({ err: describeError(error) }, 'the nightly backup failed')
    const reason = error instanceof Error ? error.message : String(error)
    await storeFailure(db, turn, isStopped ? null : reason, new Date(now().getTime() + (isStopped ? 0 : AGAIN_MS)))
  } finally {
    clearInterval(keeping)
  }
  return true
}

interface Turn extends Nightly {
  signal: AbortSignal
  turn: string
  goodAt: Date
}

async function backUp(server: Server, { address, place, onGood, signal, turn, goodAt }: Turn): Promise<void> {
  const { db, now, log, images } = server
  const file = backupName(goodAt)
  const path = join(place.dir, file)
  await place.prepare((await findBackupState(db)).file, signal)
  const { header, missing } = await makeBackup({ address, openImages: async () => images, path, signal })
  if (missing.length > 0) log.warn({ missing }, 'images that rows name have no file, so they are not in the backup')
  const { installationId } = header
  const verifying = verifyBackup({ address, path, installationId, turn, signal })
  const checked = await verifying.catch(async (error: unknown) => {
    await rm(path, { force: true })
    throw error
  })
  const { size: bytes } = await stat(path)
  await place.keep(file, signal)
  if (!(await storeGood(db, turn, { goodAt, file, bytes, checked, nextAt: nextNight(now()) })))
    throw new Error('Another server took the turn.')
  // It is kept by now: what cannot be removed is no reason to make another one.
  await place.prune().catch((error: unknown) => {
    log.warn({ err: describeError(error) }, 'backups that are no longer needed could not be removed')
  })
  await onGood?.()
  log.info({ file, bytes, checked }, 'backed up')
}

/** The next time that it is night. */
export function nextNight(now: Date): Date {
  const night = new Date(now)
  night.setHours(AT_HOUR, 0, 0, 0)
  if (night <= now) night.setDate(night.getDate() + 1)
  return night
}

/** Backs up every night until stopped, which ends a backup under way. */
export function startNightlyBackups(deps: Deps, nightly: Omit<Nightly, 'signal'>): Pick<Loop, 'stop'> {
  const stopping = new AbortController()
  const begunAt = performance.now()
  const round = async () => {
    if (performance.now() - begunAt >= AFTER_START_MS)
      await backUpWhenDue(deps, { ...nightly, signal: stopping.signal })
    return false
  }
  const loop = startLoop(deps, 'nightly backup', round, { pauseMs: 60_000, quietMs: 600_000, patienceMs: 1_500 })
  return {
    stop: async () => {
      stopping.abort(new Error('The server stops.'))
      await loop.stop()
    },
  }
}
