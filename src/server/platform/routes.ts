import type { FastifyInstance } from 'fastify'
import { platformApi } from '../../contract/platform.ts'
import type { Deps } from '../deps.ts'
import { implement } from '../http/implement.ts'
import { countMails } from '../mail/queries.ts'
import { findPause } from '../mail/state-queries.ts'

export function platformRoutes(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, platformApi, {
    getHealth: async () => {
      const [{ queued, failed, oldest }, paused] = await Promise.all([countMails(deps.db), findPause(deps.db)])
      return { payload: { mail: { paused, queued, failed, oldestQueuedAt: oldest } } }
    },
  })
}
