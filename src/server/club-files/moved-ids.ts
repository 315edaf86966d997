import { WrongClubFile } from './file-format.ts'

/** What has numbers of its own. Those of a file are replaced by new ones. */
export const numbered = [
  'events',
  'ticket_types',
  'codes',
  'form_questions',
  'extras',
  'registrations',
  'extras_purchases',
  'payments',
  'people',
] as const
export type Numbered = (typeof numbered)[number]

/** Takes unused numbers of a kind from the database. */
export type TakeIds = (of: Numbered, count: number) => Promise<number[]>

/** Gives each number of the file a new one, the same wherever it stands. */
export interface MovedIds {
  /** The new number of a row that is being read. Each number is defined once. */
  define: (of: Numbered, former: number) => number
  /** The new number of a row that has to be in the file, sooner or later. */
  need: (to: Numbered, former: number) => number
  /** The new number of a row that may be missing. */
  of: (to: Numbered, former: number) => number
  /** The new number of a row that has been read; undefined when it has not. */
  known: (to: Numbered, former: number) => number | undefined
  /** The new number that was given, whether or not the row has been read; undefined when none was. */
  mapped: (to: Numbered, former: number) => number | undefined
  /** The former numbers of the rows that have been read, with the new ones. */
  all: (of: Numbered) => Iterable<readonly [former: number, current: number]>
  /** Converts rows with these numbers. It is done twice, so that exactly as many new ones are taken as the rows need. */
  convert: <T>(rows: () => T) => Promise<T>
  /** Refuses the file when a row is missing that another one names. */
  check: () => void
}

interface Space {
  moved: Map<number, number>
  /** The rows that have been read. */
  read: Set<number>
  /** The rows that others name, and that have not been read. */
  missing: Set<number>
  /** Numbers that need a new one. */
  wanted: Set<number>
}

export function makeMovedIds(kinds: readonly Numbered[], take: TakeIds): MovedIds {
  const spaces = new Map(
    kinds.map((kind): [Numbered, Space] => [
      kind,
      { moved: new Map(), read: new Set(), missing: new Set(), wanted: new Set() },
    ]),
  )
  /** Whether it is only found out which numbers are needed. */
  let isCounting = false
  const space = (of: Numbered) => {
    const found = spaces.get(of)
    if (!found) throw new Error(`There are no numbers of ${of}.`)
    return found
  }
  const numberOf = (of: Numbered, former: number): number => {
    const { moved, wanted } = space(of)
    const known = moved.get(former)
    if (known !== undefined) return known
    if (!isCounting) throw new Error(`A number of ${of} was not asked for before.`)
    wanted.add(former)
    return 0
  }
  return {
    define: (of, former) => {
      const { read, missing } = space(of)
      if (!isCounting) {
        if (read.has(former)) throw new WrongClubFile('damaged', `A number of ${of} comes twice.`)
        read.add(former)
        missing.delete(former)
      }
      return numberOf(of, former)
    },
    need: (to, former) => {
      const { read, missing } = space(to)
      if (!isCounting && !read.has(former)) missing.add(former)
      return numberOf(to, former)
    },
    of: numberOf,
    known: (to, former) => (space(to).read.has(former) ? numberOf(to, former) : undefined),
    mapped: (to, former) => space(to).moved.get(former),
    *all(of) {
      const { read, moved } = space(of)
      for (const former of read) {
        const current = moved.get(former)
        if (current !== undefined) yield [former, current]
      }
    },
    convert: async (rows) => {
      isCounting = true
      rows()
      isCounting = false
      for (const [kind, { moved, wanted }] of spaces) {
        if (wanted.size === 0) continue
        const taken = await take(kind, wanted.size)
        for (const [at, former] of [...wanted].entries()) moved.set(former, taken[at] ?? 0)
        wanted.clear()
      }
      return rows()
    },
    check: () => {
      for (const [kind, { missing }] of spaces)
        if (missing.size > 0) throw new WrongClubFile('damaged', `Rows of ${kind} are missing.`)
    },
  }
}
