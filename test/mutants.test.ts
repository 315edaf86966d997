import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mutants } from './faults/mutants/all.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')

test('every mutant still fits: the guard stands once in its file, and its tests exist', () => {
  const unfit = mutants.filter(({ file, find, tests }) => {
    const isThere = read(file).split(find).length === 2
    return !isThere || !tests.every((path) => existsSync(join(root, path)))
  })
  expect(unfit.map(({ name }) => name)).toEqual([])
})

test('no two mutants share a name', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
})

test('CONTRIBUTING states how many mutants there are', () => {
  expect(read('CONTRIBUTING.md')).toContain(`${mutants.length} of ${mutants.length} are noticed`)
})
