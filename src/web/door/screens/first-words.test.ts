import { expect, test } from 'vitest'
import { firstWords } from './first-words.ts'

const at = new Date('2026-11-27T18:42:00Z')
const words = (minutes: number, device: string | null = 'Gate B') =>
  firstWords({ at, by: 'Ana', device }, new Date(at.getTime() + minutes * 60_000), 'Europe/Berlin')

test('the first check-in is told by how long ago it was, when, by whom and on which phone', () => {
  expect(words(3)).toEqual({ when: '3 minutes ago (19:42)', by: 'by Ana, Gate B' })
  expect(words(0, null)).toEqual({ when: 'Just now (19:42)', by: 'by Ana' })
})

test('its date is told when it was on another day', () => {
  expect(words(5 * 60).when).toBe('5 hours ago (27/11/2026, 19:42)')
  expect(words(3 * 24 * 60).when).toBe('27/11/2026, 19:42')
})

test('a clock that is behind tells only the time', () => {
  expect(words(-30).when).toBe('19:42')
})
