import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { qualityOf, rank, wordsOf } from './rank.ts'

/** What can be chosen in the search: it opens a page of the app (`to`) or another document (`href`), or does something. */
export interface Entry {
  /** Unique in the list, and part of an id in the page. */
  key: string
  label: string
  /** Shown beside the name. */
  note?: ReactNode
  /** Other words that find it. */
  words?: string
  /** A name that people gave: any part of it finds it. */
  isName?: boolean
  Icon: Icon
  target: { to: string; state?: string; replace?: boolean } | { href: string } | { run: () => void }
}

export interface Group {
  title: string
  entries: readonly Entry[]
  /** How many are shown at most. */
  most?: number
}

/** The groups with what matches in each, best group first; without a text, everything in the given order. */
export function searchGroups(groups: readonly Group[], typed: string): Group[] {
  const words = wordsOf(typed)
  return groups
    .map((group) => {
      const found = rank(group.entries, words)
      const best = Math.min(...found.map((entry) => qualityOf(entry, words) ?? 0))
      return { ...group, best, entries: found.slice(0, group.most ?? found.length) }
    })
    .filter(({ entries }) => entries.length > 0)
    .sort((a, b) => a.best - b.best)
}
