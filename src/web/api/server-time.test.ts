import { expect, test } from 'vitest'
import { noteServerTime, serverNow } from './server-time.ts'

const MINUTE = 60_000

test('the time follows the server’s latest date; a missing date or a difference of mere seconds changes nothing', () => {
  const differs = () => serverNow().getTime() - Date.now()
  noteServerTime(new Date(Date.now() + 10 * MINUTE).toUTCString())
  expect(differs()).toBeGreaterThan(9 * MINUTE)
  noteServerTime(null)
  expect(differs()).toBeGreaterThan(9 * MINUTE)
  noteServerTime(new Date(Date.now() - MINUTE).toUTCString())
  expect(differs()).toBeLessThan(-MINUTE / 2)
  noteServerTime(new Date().toUTCString())
  expect(Math.abs(differs())).toBeLessThan(100)
})
