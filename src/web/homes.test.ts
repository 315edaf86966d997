import { expect, test } from 'vitest'
import { homeOf, safeNext } from './homes.ts'

test('home is by role', () => {
  expect(homeOf({ role: 'sudo' })).toBe('/dashboard/sudo')
  expect(homeOf({ role: 'admin' })).toBe('/dashboard/admin')
  expect(homeOf({ role: 'treasurer' })).toBe('/signout')
})

test('signing in returns to a path of this site, and to nothing else', () => {
  expect(safeNext('/event/1/edit?x=1')).toBe('/event/1/edit?x=1')
  for (const next of [
    null,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/x\\evil.example y',
    'javascript:alert(1)',
    '/signout',
  ])
    expect(safeNext(next)).toBeNull()
})
