import { historyApi } from '../../contract/history.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { listHistory } from './list.ts'
import { findPeople } from './queries.ts'
import { historySheet } from './sheet.ts'

export function historyRoutes(implement: Implement, deps: Deps): void {
  implement(historyApi, {
    getHistory: async ({ club, input: { clubId: _, before = null, ...filters }, language }) => ({
      payload: await listHistory(deps, club, { filters, before }, language()),
    }),
    getPeople: async ({ club }) => ({ payload: await findPeople(deps.db, club) }),
    downloadHistory: async ({ club, input: { clubId: _, ...filters }, language }) => ({
      payload: null,
      file: historySheet(deps, club, filters, language()),
    }),
  })
}
