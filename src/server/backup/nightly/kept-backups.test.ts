import { expect, test } from 'vitest'
import { backupName, isLeftover, outdated } from './kept-backups.ts'

const nightly = (days: number) =>
  Array.from({ length: days }, (_, day) => backupName(new Date(Date.UTC(2026, 10, 24 - day, 3))))

test('the newest of 7 days and of 4 weeks are kept', () => {
  const names = nightly(60)
  const gone = new Set(outdated(names))
  const kept = names.filter((name) => !gone.has(name))
  // The 24th of November 2026 is a Tuesday; a week's newest is that of its Sunday.
  expect(kept.map((name) => name.slice(8, 18))).toEqual([
    ...['2026-11-24', '2026-11-23', '2026-11-22', '2026-11-21', '2026-11-20', '2026-11-19', '2026-11-18'],
    ...['2026-11-15', '2026-11-08'],
  ])
})

test('of several of one day the newest is kept, and those of days without a server do not count', () => {
  const morning = backupName(new Date('2026-11-24T03:00:00Z'))
  const evening = backupName(new Date('2026-11-24T19:00:00Z'))
  const old = backupName(new Date('2025-01-01T03:00:00Z'))
  expect(outdated([morning, old, evening])).toEqual([morning])
})

test('other files are left alone', () => {
  const name = backupName(new Date('2026-11-24T03:00:00Z'))
  expect(name).toBe('turnout-2026-11-24T03-00-00Z.backup')
  expect(outdated([...nightly(60), 'mine.backup', 'turnout-old.backup'])).not.toContain('mine.backup')
  expect([`${name}.part-12`, name, 'mine.backup.part-12'].filter(isLeftover)).toEqual([`${name}.part-12`])
})
