import { expect, test } from 'vitest'
import { fatalIn } from './server.ts'

const at = '2026-11-22 18:17:15.500 UTC'

test('log lines of a killed server’s connections are not taken for the reason why the next server failed', () => {
  const keptOut = `${at} [27851] FATAL:  pre-existing shared memory block (key 12, ID 3) is still in use`
  const lines = [
    `${at} [27844] FATAL:  terminating connection due to unexpected postmaster exit`,
    `${at} [27845] FATAL:  postmaster exited during a parallel transaction`,
    `${at} [27846] FATAL:  connection to client lost`,
    `${at} [27850] FATAL:  the database system is starting up`,
    keptOut,
  ]
  expect(fatalIn(lines)).toBe(keptOut)
  expect(fatalIn(lines.slice(0, 4))).toBeUndefined()
})
