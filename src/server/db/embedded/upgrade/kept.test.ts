import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { noteKept, removeKept } from './kept.ts'

const upgradedAt = '2026-11-20T10:00:00.000Z'
const later = (days: number) => new Date(Date.parse(upgradedAt) + days * 24 * 60 * 60_000)

function folder(besides: string[]) {
  const dir = mkdtempSync(join(tmpdir(), 'turnout-kept-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const data = join(dir, 'postgres', 'data-17-kept')
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'PG_VERSION'), '17\n')
  noteKept(dir, { from: 17, upgradedAt, besides })
  return { dir, data }
}

test('old data is removed once, and only when the upgrade was some days ago', async () => {
  const { dir, data } = folder([])
  expect(await removeKept(dir, later(6.9))).toBeNull()
  expect(existsSync(data)).toBe(true)
  expect(await removeKept(dir, later(7))).toBe(data)
  expect(existsSync(data)).toBe(false)
  expect(await removeKept(dir, later(8))).toBeNull()
})

test('old data that holds something besides Turnout’s own is never removed', async () => {
  const { dir, data } = folder(['database mine'])
  expect(await removeKept(dir, later(400))).toBeNull()
  expect(existsSync(data)).toBe(true)
})

test('where nothing was upgraded, nothing is removed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'turnout-kept-'))
  expect(await removeKept(dir, later(400))).toBeNull()
  rmSync(dir, { recursive: true })
})
