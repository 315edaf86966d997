import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cutLog } from './server.ts'

test('a large log is cut while it is written to, a small one is left alone, a missing folder does not matter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-log-'))
  const path = join(folder, 'server.log')
  writeFileSync(path, 'x'.repeat(1_000_000))
  cutLog(path)
  expect(statSync(path).size).toBe(1_000_000)
  appendFileSync(path, 'y')
  cutLog(path)
  expect(statSync(path).size).toBe(0)
  rmSync(folder, { recursive: true })
  expect(() => cutLog(join(folder, 'gone', 'server.log'))).not.toThrow()
})
