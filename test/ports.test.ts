import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('journeys and fault tests, which run at the same time, listen on ports that no other file has', () => {
  const files = ['e2e', 'faults'].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  )
  const filesOf = new Map<string, string[]>()
  for (const file of files) {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8')
    // Not the groups of a UUID.
    for (const port of new Set(text.match(/(?<!-)\b(?:39|40)\d\d\b(?!-)/g)))
      filesOf.set(port, [...(filesOf.get(port) ?? []), file])
  }
  expect(filesOf.size).toBeGreaterThan(40)
  // Neither `fetch` nor browsers open it (https://fetch.spec.whatwg.org/#port-blocking).
  expect([...filesOf.keys()]).not.toContain('4045')
  expect([...filesOf].filter(([, names]) => names.length > 1)).toEqual([])
})
