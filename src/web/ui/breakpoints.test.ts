import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { breakpoints } from './breakpoints.ts'

const web = resolve(import.meta.dirname, '..')
const sheets = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))
const widths: number[] = Object.values(breakpoints)

test('style sheets change at the widths of the app and at no other', () => {
  const queries = sheets.flatMap((file) =>
    [...readFileSync(join(web, file), 'utf8').matchAll(/\((min|max)-width: *(.+?)\)/g)].map(([text, edge, width]) => ({
      file,
      text,
      from: Number.parseInt(width ?? '', 10) + (edge === 'max' ? 1 : 0),
    })),
  )
  expect(queries.length).toBeGreaterThan(3)
  expect(queries.filter(({ from }) => !widths.includes(from))).toEqual([])
})
