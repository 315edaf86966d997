import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chooseDataDir, makeDataDir } from './data-dir.ts'
import { WrongSettings } from './settings.ts'

const isRoot = process.getuid?.() === 0

let dir: string
beforeEach(() => {
  // Closed to others, as `/root` is.
  dir = mkdtempSync(join(tmpdir(), 'turnout-dir-'))
  vi.spyOn(process, 'cwd').mockReturnValue(dir)
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(dir, { recursive: true, force: true })
})

function choose(dataDir: string | null, databaseUrl: string | null = null, systemDir?: string) {
  const told: string[] = []
  return { chosen: chooseDataDir({ dataDir, databaseUrl }, (line) => told.push(line), systemDir), told: told.length }
}

test.runIf(isRoot)('below a closed folder root keeps its data elsewhere, and says so', () => {
  expect(choose(null)).toEqual({ chosen: '/var/lib/turnout', told: 1 })
})

test.runIf(isRoot)(
  'data of a start below a closed folder stays where it is, also when the folder is open later',
  () => {
    const systemDir = join(dir, 'system')
    mkdirSync(join(systemDir, 'postgres'), { recursive: true })
    chmodSync(dir, 0o755)
    expect(choose(null, null, systemDir)).toEqual({ chosen: systemDir, told: 1 })
  },
)

test('what the operator chose, another database, and data that is there already are kept', () => {
  expect(choose(join(dir, 'mine'))).toEqual({ chosen: join(dir, 'mine'), told: 0 })
  expect(choose(null, 'postgres://db')).toEqual({ chosen: join(dir, 'data'), told: 0 })
  mkdirSync(join(dir, 'data/postgres'), { recursive: true })
  expect(choose(null)).toEqual({ chosen: join(dir, 'data'), told: 0 })
})

test('a data directory is made with the folders above it, which others may pass', () => {
  makeDataDir(join(dir, 'a/b'))
  makeDataDir(join(dir, 'a/b'))
  expect(existsSync(join(dir, 'a/b'))).toBe(true)
  if (isRoot) expect(statSync(join(dir, 'a')).mode & 0o777).toBe(0o711)
})

test('a file, a folder below a file and one below /proc are refused with the reason', () => {
  const file = join(dir, 'file')
  writeFileSync(file, '')
  for (const path of [file, join(file, 'below'), '/proc/nope']) {
    expect(() => makeDataDir(path)).toThrow(WrongSettings)
    expect(() => makeDataDir(path)).toThrow(`DATA_DIR ${path} cannot be used: `)
  }
})
