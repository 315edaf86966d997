/** Where the panel can go from an attendee. */
export interface Steps {
  before: number | undefined
  after: number | undefined
  first: number | undefined
  last: number | undefined
}

/**
 * The neighbours of an attendee in the list. One who no longer matches, for example because of a check-in, has those who closed the gap at
 * its last place, `lastAt`.
 */
export function stepsFrom(ids: readonly number[], id: number, lastAt: number): Steps {
  const at = ids.indexOf(id)
  const ends = { first: ids[0], last: ids.at(-1) }
  if (at !== -1) return { before: ids[at - 1], after: ids[at + 1], ...ends }
  return lastAt === -1
    ? { before: undefined, after: undefined, ...ends }
    : { before: ids[lastAt - 1], after: ids[lastAt], ...ends }
}
