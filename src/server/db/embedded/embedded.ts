import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries, majorOf } from './binaries.ts'
import { initialiseOnce, madeBy, makePlace, type Place, readPassword, removeLeftovers, USER } from './directory.ts'
import { holdDirectory, PATIENCE_MS } from './hold.ts'
import { postgresServer } from './server.ts'
import type { CopyDatabase } from './upgrade/copy.ts'
import { removeOldPackages } from './upgrade/old-programs.ts'
import { finishSwap } from './upgrade/swap.ts'
import { upgrade } from './upgrade/upgrade.ts'

export interface Embedded {
  connection: { host: string; user: string; database: string; password: string }
  /** Stops the server and waits until it is down, for 30 s unless told otherwise. */
  stop: (patienceMs?: number) => Promise<void>
  /** Resolves when our hold on the data directory is lost for good: nothing may be served any more. */
  lost: Promise<Error>
}

interface Options {
  /** Switched off only by tests. */
  fsync?: boolean
  /** Receives messages for somebody who waits for the start. */
  tell?: (line: string) => void
  /** How often they are repeated, in ms; shorter in tests. */
  tellEveryMs?: number
  /** Aborts the start; what was started is stopped. */
  signal?: AbortSignal
  /** Copies the rows of an older major version of PostgreSQL; without it the data of one is refused. */
  copy?: CopyDatabase
}

/** How long a server may take to stop when its start has failed. */
const GIVING_UP_MS = 4_000
const TELL_EVERY_MS = 10_000

/**
 * Runs a real PostgreSQL server on `<dataDir>/postgres`, reached over a socket by password. A server that an earlier
 * process of ours left behind is taken over; one that another process uses is refused. While we run, a server that dies is
 * started again. When it cannot be opened, no server that we started stays behind.
 */
export async function openEmbedded(
  dataDir: string,
  log: (line: string) => void,
  { fsync = true, tell = log, tellEveryMs = TELL_EVERY_MS, signal = new AbortController().signal, copy }: Options = {},
): Promise<Embedded> {
  const place = makePlace(resolve(dataDir))
  const binaries = await findBinaries(place.dataDir)
  const password = readPassword(place)
  const connection = { host: place.socketDir, user: USER, database: 'postgres', password }
  finishSwap(place)
  const versions = { made: madeBy(place), ours: majorOf(place, binaries) }
  if (versions.made !== null && versions.made < versions.ours && copy)
    await upgrade({
      from: versions.made,
      to: versions.ours,
      place,
      binaries,
      connection,
      copy,
      fsync,
      log,
      tell,
      signal,
    })
  initialiseOnce(place, binaries, password)
  checkVersion(place, versions.ours)

  const server = postgresServer({ place, binaries, fsync, log })
  const holding = { place, connection, server, tell, tellEveryMs }
  try {
    const first = await holdDirectory({ ...holding, retryMs: 0, signal })
    removeLeftovers(place)
    removeOldPackages(place.dataDir)
    const { lost, release } = holdLock(first, (signal) => {
      log('embedded PostgreSQL went away; starting it again')
      return holdDirectory({ ...holding, retryMs: PATIENCE_MS, signal })
    })
    return {
      connection,
      lost,
      stop: async (patienceMs = PATIENCE_MS) => {
        // A directory that is no longer ours means that its server is no longer ours either.
        if ((await release()) !== 'lost') await server.stop(patienceMs)
      },
    }
  } catch (error) {
    await server.stopOwn(GIVING_UP_MS)
    throw error
  }
}

/** The data of another major version is not touched. */
function checkVersion(place: Place, ours: number): void {
  const made = madeBy(place)
  if (made === null || made === ours) return
  const data = `The data in ${place.data} is of PostgreSQL ${made}, and this Turnout brings PostgreSQL ${ours}.`
  throw new Error(
    made > ours
      ? `${data} A newer version of Turnout has been here: install that one again, or a later one. Nothing was changed. To go back instead, see "A new major version of PostgreSQL" in docs/operations.md.`
      : `${data} Start the server, which brings it to the new version. Nothing was changed.`,
  )
}

/** Takes the lock again whenever its connection drops. `release` gives it up and returns its state. */
function holdLock(first: pg.Client, regain: (signal: AbortSignal) => Promise<pg.Client>) {
  let hold: pg.Client | 'regaining' | 'lost' = first
  let regaining: Promise<void> = Promise.resolve()
  const stopping = new AbortController()
  const lost = new Promise<Error>((resolve) => {
    const watch = (client: pg.Client) =>
      client.once('end', () => {
        if (stopping.signal.aborted) return
        hold = 'regaining'
        regaining = regain(stopping.signal).then(
          (next) => {
            hold = next
            watch(next)
          },
          (error: unknown) => {
            if (stopping.signal.aborted) return
            hold = 'lost'
            resolve(error instanceof Error ? error : new Error(String(error)))
          },
        )
      })
    watch(first)
  })
  const release = async (): Promise<'held' | 'regaining' | 'lost'> => {
    stopping.abort()
    await regaining
    if (!(hold instanceof pg.Client)) return hold
    // A server that does not answer is stopped anyway.
    await Promise.race([hold.end().catch(() => {}), wait(500)])
    return 'held'
  }
  return { lost, release }
}
