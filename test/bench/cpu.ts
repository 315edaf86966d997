import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts a process's time in hundredths of a second. */
const TICK_MS = 10

interface Stat {
  parent: number
  /** Its own CPU time, in ms. */
  ms: number
  /** The CPU time of its ended children, in ms. */
  childrenMs: number
}

function statOf(pid: number): Stat | null {
  try {
    // After the command, which may contain spaces and brackets.
    const [, parent, ...fields] = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '')
      .split(' ')
      .map(Number)
    const at = (index: number) => (fields[index] ?? 0) * TICK_MS
    return { parent: parent ?? 0, ms: at(9) + at(10), childrenMs: at(11) + at(12) }
  } catch {
    return null
  }
}

/** CPU time that a process has used so far, all its threads together, in ms. */
export function cpuOf(pid: number): number {
  return statOf(pid)?.ms ?? 0
}

/** CPU time of a process and its children, including ended ones, in ms; for PostgreSQL, which has one process per connection. */
export function cpuOfFamily(pid: number): number {
  const own = statOf(pid)
  const children = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    return stat?.parent === pid ? [stat.ms] : []
  })
  return (own?.ms ?? 0) + (own?.childrenMs ?? 0) + children.reduce((sum, ms) => sum + ms, 0)
}
