import { expect, test } from 'vitest'
import { isCollision } from './violations.ts'

test('what was refused only because of the moment may be run again: a deadlock, a write between, a plan out of date', () => {
  for (const code of ['40P01', '40001', '0A000'])
    expect(isCollision(Object.assign(new Error('no'), { code }))).toBe(true)
  for (const code of ['23505', '57014', 'ECONNRESET'])
    expect(isCollision(Object.assign(new Error('no'), { code }))).toBe(false)
  expect(isCollision(null)).toBe(false)
})
