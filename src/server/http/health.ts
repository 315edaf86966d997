import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { PRODUCT_VERSION } from '../../contract/version.ts'
import { beat } from '../db/heartbeat.ts'
import { isMigrated } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'
import { withPatience } from '../patience.ts'

/** Background work by name: when it last finished a round, by `performance.now()`. */
export type BackgroundWork = () => Readonly<Record<string, number>>

interface Options {
  /** Whether the start is done and no stop has begun. */
  isServing: () => boolean
  work: BackgroundWork
}

/** How long the database may take for a write, in ms. */
const PATIENCE_MS = 2_000
/** The database is probed at most once in this time, in ms, however often it is asked. */
const FRESH_MS = 1_000
/** Background work that has not finished a round for this long, in ms, is stuck. */
const STUCK_MS = 60_000

/**
 * `/healthz`: this process is alive. `/readyz`: it can serve, with the database migrated and taking writes; 503 otherwise. It also
 * names background work that is stuck, which is no reason to send visitors elsewhere, and so no 503.
 */
export function answerHealth(app: FastifyInstance, { db }: Deps, { isServing, work }: Options): void {
  const probe = probeOf(db)
  app.get('/healthz', { exposeHeadRoute: true }, async () => ({ status: 'ok', version: PRODUCT_VERSION }))
  app.get('/readyz', { exposeHeadRoute: true }, async (_request, reply) => {
    const isReady = isServing() && (await probe())
    const stuck = stuckWork(work)
    return reply
      .code(isReady ? 200 : 503)
      .headers({ 'cache-control': 'no-store', ...(!isReady && { 'retry-after': '2' }) })
      .send({ status: isReady ? 'ok' : 'unavailable', ...(stuck.length > 0 && { stuck }) })
  })
}

/** The background work that has not finished a round for a minute. */
export function stuckWork(work: BackgroundWork): string[] {
  return Object.entries(work()).flatMap(([name, at]) => (performance.now() - at > STUCK_MS ? [name] : []))
}

/** Whether the database takes writes and is migrated; asked by many at once it is probed once. */
function probeOf(db: Deps['db']): () => Promise<boolean> {
  const server = randomUUID()
  let latest = { at: Number.NEGATIVE_INFINITY, answer: Promise.resolve(false) }
  return () => {
    if (performance.now() - latest.at > FRESH_MS) latest = { at: performance.now(), answer: takesWrites(db, server) }
    return latest.answer
  }
}

async function takesWrites(db: Deps['db'], server: string): Promise<boolean> {
  try {
    const isWell = beat(db, server).then(() => isMigrated(db))
    return await withPatience(PATIENCE_MS, isWell, () => new Error('no answer'))
  } catch {
    return false
  }
}
