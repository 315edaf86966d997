import { expect, test } from 'vitest'
import { formatAgo } from './format-ago.ts'

test('what was within a day is said by how long ago, the rest by its date', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const ago = (minutes: number) => formatAgo(new Date(now.getTime() - minutes * 60_000), now, 'Europe/Berlin')
  expect([-1, 0, 1, 59, 60, 150, 1439, 1440].map(ago)).toEqual([
    'just now',
    'just now',
    '1 minute ago',
    '59 minutes ago',
    '1 hour ago',
    '2 hours ago',
    '23 hours ago',
    '19/11/2026',
  ])
})
