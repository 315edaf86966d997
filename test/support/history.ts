import type { Input } from '../../src/contract/endpoint.ts'
import { type HistoryEntry, historyApi } from '../../src/contract/history.ts'
import type { TestApp } from './start-app.ts'

export type HistoryFilters = Omit<Input<typeof historyApi.getHistory>, 'clubId'>

/** A page of a club's history. */
export const readHistory = (app: TestApp, token: string, clubId: number, filters: HistoryFilters = {}) =>
  app.call(historyApi.getHistory, { clubId, ...filters }, token)

/** The latest entry. */
export async function latestEntry(app: TestApp, token: string, clubId: number): Promise<HistoryEntry> {
  const [first] = (await readHistory(app, token, clubId)).entries
  if (!first) throw new Error('The history is empty.')
  return first
}

/** The entries of all pages. */
export async function readWholeHistory(
  app: TestApp,
  token: string,
  clubId: number,
  filters: HistoryFilters = {},
): Promise<HistoryEntry[]> {
  const { entries, next } = await readHistory(app, token, clubId, filters)
  return next === null
    ? entries
    : [...entries, ...(await readWholeHistory(app, token, clubId, { ...filters, before: next }))]
}

export const actionsOf = (entries: readonly HistoryEntry[]) => entries.map(({ action }) => action)
