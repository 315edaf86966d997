import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`)
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/operations.md',
  'docs/performance.md',
  ...decisions,
]

test('every script that a document names exists', () => {
  const { scripts } = JSON.parse(read('package.json'))
  for (const document of documents)
    for (const [, name = ''] of read(document).matchAll(/`npm run ([\w-]+)/g))
      expect(Object.keys(scripts), document).toContain(name)
})

test('every file that a document names exists', () => {
  for (const document of documents)
    for (const [, path = ''] of read(document).matchAll(/`((?:src|test|docs|scripts)\/[\w./-]+)`/g))
      expect(existsSync(join(root, path)), `${document}: ${path}`).toBe(true)
})

test('every setting that the server reads is in the README’s table, and no other', () => {
  const settings = read('src/server/settings.ts')
  const used = new Set([...settings.matchAll(/(?:text|url)\('([A-Z0-9_]+)'/g)].map(([, name]) => name))
  const rows = read('README.md')
    .split('\n')
    .filter((line) => /^\| [A-Z][A-Z0-9_]+[ ,]/.test(line))
  const told = new Set(rows.flatMap((row) => (row.split('|')[1] ?? '').split(',').map((name) => name.trim())))
  expect([...told].sort()).toEqual([...used].sort())
})

test('the index of decisions lists each one by its number and title', () => {
  const index = read('docs/decisions/README.md')
  for (const path of decisions) {
    const [, file = '', number = ''] = /([^/]*?(\d{3})[^/]*\.md)$/.exec(path) ?? []
    if (number === '' || number === '000') continue
    const title = read(path)
      .split('\n')[0]
      ?.replace(`# ${Number(number)}. `, '')
    expect(index).toContain(`| [${Number(number)}](${file}) | ${title} |`)
  }
})
