import type { HistoryEntry } from '../../contract/history.ts'

type Said = Pick<HistoryEntry, 'id' | 'by' | 'action' | 'event'>

/** So many entries that say the same are shown as one, because fewer are read faster than unfolded. */
const FOLDED_FROM = 3

/** Entries that follow each other and differ only in whom they are about stand together, if they are many; all others alone. */
export function foldAlike<E extends Said>(entries: readonly E[]): [E, ...E[]][] {
  const runs: [E, ...E[]][] = []
  for (const entry of entries) {
    const last = runs.at(-1)
    if (last && isAlike(last[0], entry)) last.push(entry)
    else runs.push([entry])
  }
  return runs.flatMap((run) => (run.length < FOLDED_FROM ? run.map((entry): [E] => [entry]) : [run]))
}

const isAlike = (one: Said, other: Said) =>
  one.action === other.action && one.by === other.by && one.event?.id === other.event?.id
