import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { isMigrated } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'

/** `/healthz`: this process is alive. `/readyz`: it can serve, with the database reachable and migrated. */
export function answerHealth(app: FastifyInstance, { db }: Deps, isServing: () => boolean): void {
  app.get('/healthz', { exposeHeadRoute: true }, async () => ({ status: 'ok' }))
  app.get('/readyz', { exposeHeadRoute: true }, async (_request, reply) => {
    const ready = isServing() && (await isReady(db))
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' })
  })
}

async function isReady(db: Deps['db']): Promise<boolean> {
  try {
    await sql`select 1`.execute(db)
    return await isMigrated(db)
  } catch {
    return false
  }
}
