const DAYS = 7
const WEEKS = 4
const DAY = 24 * 60 * 60_000
const NAME = /^turnout-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/

/** The name of a backup made at this moment. */
export function backupName(at: Date): string {
  return `turnout-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`
}

/** Whether a file is a nightly backup, by its name. */
export function isBackup(name: string): boolean {
  return NAME.test(name)
}

/** Whether a file is what a backup that was killed left behind. */
export function isLeftover(name: string): boolean {
  const whole = name.replace(/\.part-\d+$/, '')
  return whole !== name && isBackup(whole)
}

/**
 * Which of these files are no longer needed: all backups but the newest of each of the last 7 days that have one, and of each of the last 4 weeks. Other
 * files are not ours.
 */
export function outdated(names: readonly string[]): string[] {
  const backups = names
    .flatMap((name) => {
      const [, day, hour, minute, second] = NAME.exec(name) ?? []
      return day === undefined ? [] : [{ name, at: Date.parse(`${day}T${hour}:${minute}:${second}Z`) }]
    })
    .sort((a, b) => b.at - a.at)
  const kept = new Set([
    ...newestOfEach(backups, (at) => Math.floor(at / DAY)).slice(0, DAYS),
    // The first of January 1970 was a Thursday: weeks begin on Monday.
    ...newestOfEach(backups, (at) => Math.floor((at / DAY + 3) / 7)).slice(0, WEEKS),
  ])
  return backups.map(({ name }) => name).filter((name) => !kept.has(name))
}

interface Backup {
  name: string
  at: number
}

function newestOfEach(backups: readonly Backup[], periodOf: (at: number) => number): string[] {
  const newest = new Map<number, string>()
  for (const { name, at } of backups) if (!newest.has(periodOf(at))) newest.set(periodOf(at), name)
  return [...newest.values()]
}
