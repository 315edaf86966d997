import { useState } from 'react'
import type { AttendeeRow } from '../../contract/attendees.ts'

interface Choice {
  /** The filters at the time of the choice; with other filters nothing is selected. */
  filters: string
  ids: ReadonlySet<number>
  /** All that matched were chosen, also those that are not loaded. */
  isAll: boolean
}

/** The selection among the attendees that match the filters. Rows that no longer match are no longer selected. */
export function useChoice(rows: readonly AttendeeRow[], filters: string) {
  const none: Choice = { filters, ids: new Set(), isAll: false }
  const [kept, setKept] = useState(none)
  const made = kept.filters === filters ? kept : none
  const chosen: ReadonlySet<number> = made.isAll
    ? made.ids
    : new Set(rows.flatMap(({ rId }) => (made.ids.has(rId) ? [rId] : [])))
  function choose(ids: readonly number[], isChosen: boolean): void {
    const next = new Set(chosen)
    for (const id of ids) isChosen ? next.add(id) : next.delete(id)
    setKept({ ...made, ids: next })
  }
  return {
    chosen,
    choose,
    chooseAll: (ids: readonly number[]) => setKept({ filters, ids: new Set(ids), isAll: true }),
    chooseNone: () => setKept(none),
  }
}
