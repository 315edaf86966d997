import { statisticsApi } from '../../contract/statistics.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { answerCountsOf } from './answer-counts-of.ts'
import { statisticsOf } from './statistics-of.ts'

export function statisticsRoutes(implement: Implement, deps: Deps): void {
  implement(statisticsApi, {
    getStatistics: async ({ event, input }) => ({ payload: await statisticsOf(deps, event, input.date) }),
    getAnswerCounts: async ({ event }) => ({ payload: await answerCountsOf(deps, event) }),
  })
}
