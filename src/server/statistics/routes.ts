import type { FastifyInstance } from 'fastify'
import { statisticsApi } from '../../contract/statistics.ts'
import type { Deps } from '../deps.ts'
import { implement } from '../http/implement.ts'
import { statisticsOf } from './statistics-of.ts'

export function statisticsRoutes(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, statisticsApi, {
    getStatistics: async ({ event, input }) => ({ payload: await statisticsOf(deps, event, input.date) }),
  })
}
