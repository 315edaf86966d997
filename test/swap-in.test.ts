import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { swapIn } from '../scripts/swap-in.mjs'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'turnout-swap-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function make(name: string, content: string): string {
  mkdirSync(join(root, name))
  writeFileSync(join(root, name, 'main.js'), content)
  return join(root, name)
}

test('a complete build takes the place of the one before, also after a swap that was killed', () => {
  const place = join(root, 'dist')
  for (const [content, leftover] of [
    ['first', null],
    ['second', null],
    ['third', 'dist.old'],
  ] as const) {
    if (leftover) make(leftover, 'killed')
    swapIn(make('dist.new', content), place)
    expect(readdirSync(root)).toEqual(['dist'])
    expect(readFileSync(join(place, 'main.js'), 'utf8')).toBe(content)
  }
})
