import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts a process's time in hundredths of a second. */
const TICK_MS = 10

interface Stat {
  parent: number
  /** Time of its own, in ms. */
  ms: number
  /** Time of its children that have ended, in ms. */
  childrenMs: number
}

function statOf(pid: number): Stat | null {
  try {
    // Behind the command, which may hold spaces and brackets.
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

/** CPU time of a process with its children, also those that have ended, in ms; for PostgreSQL, which has one for each connection. */
export function cpuOfFamily(pid: number): number {
  const own = statOf(pid)
  const children = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    return stat?.parent === pid ? [stat.ms] : []
  })
  return (own?.ms ?? 0) + (own?.childrenMs ?? 0) + children.reduce((sum, ms) => sum + ms, 0)
}
