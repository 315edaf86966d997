import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { theme } from './layouts/theme.ts'

const web = import.meta.dirname
const read = (file: string) => readFileSync(join(web, file), 'utf8')
const files = readdirSync(web, { recursive: true, encoding: 'utf8' })

test('each class of a component’s style sheet exists and is used', () => {
  const modules = new Map<string, { has: Set<string>; used: Set<string> }>()
  for (const file of files.filter((each) => each.endsWith('.module.css'))) {
    const own = read(file).replace(/:global\([^)]*\)|url\([^)]*\)|\/\*.*?\*\//gs, '')
    const has = new Set([...own.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name))
    modules.set(resolve(web, file), { has, used: new Set() })
  }
  expect(modules.size).toBeGreaterThan(10)
  for (const file of files.filter((each) => each.endsWith('.tsx'))) {
    const text = read(file)
    const [, from] = /^import styles from '(.+?)'$/m.exec(text) ?? []
    if (from === undefined) continue
    const sheet = modules.get(resolve(web, dirname(file), from))
    for (const [, name = ''] of text.matchAll(/\bstyles\.(\w+)/g)) sheet?.used.add(name)
    // The class that is chosen by the kind of a picture; logos and photos are drawn by the forms themselves.
    if (text.includes('styles[kind]')) sheet?.used.add('event-banner')
  }
  for (const [file, { has, used }] of modules) expect([...used].sort(), file).toEqual([...has].sort())
})

test('each variable that a style uses is set somewhere', () => {
  // Those of the kit are set by its own styles.
  const ofKit = /^--(?:mantine|ai|button)-/
  const styles = files.filter((file) => file.endsWith('.css')).map((file) => ({ file, text: read(file) }))
  const code = files.filter((file) => file.endsWith('.tsx') || file.endsWith('.ts')).map(read)
  const all = [...styles.map(({ text }) => text), ...code].join('\n')
  const set = new Set([...all.matchAll(/(--[\w-]+)['"\]]*\s*:/g)].map(([, name]) => name))
  const unset = styles.flatMap(({ file, text }) =>
    [...text.matchAll(/var\((--[\w-]+)/g)].flatMap(([, name = '']) =>
      set.has(name) || ofKit.test(name) ? [] : [`${file}: ${name}`],
    ),
  )
  expect(unset).toEqual([])
})

test('the interface kit has the colours of the tokens', () => {
  const tokens = read('ui/tokens.css')
  expect(tokens).toContain(`--primary: ${theme.colors?.primary?.[5]};`)
  expect(tokens).toContain(`--bad: ${theme.colors?.red?.[5]};`)
})

test('styles name the start and the end of a line, not left and right, so that they also hold from right to left', () => {
  const physical =
    /(?:^|[\s;{])(?:(?:margin|padding|border)-(?:left|right)[\w-]*|left|right)\s*:|text-align:\s*(?:left|right)|(?:margin|padding|inset):(?<values>[^;]+);/gm
  const found = files
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) =>
      [...read(file).matchAll(physical)]
        .filter(({ groups }) => hasUnlikeSides(groups?.values))
        .map(([text]) => `${file}: ${text}`),
    )
  expect(found).toEqual([])
})

/** Whether four values of a shorthand differ between left and right; true for properties that name a side. */
function hasUnlikeSides(values: string | undefined): boolean {
  if (values === undefined) return true
  const [, right, , left] = withoutSpaces(values.trim()).split(/\s+/)
  return left !== undefined && left !== right
}

/** Replaces what is in parentheses, from the inside out. */
function withoutSpaces(values: string): string {
  const inner = /\(([^()]*)\)/
  const next = values.replace(inner, (_, content: string) => `[${content.replaceAll(' ', '_')}]`)
  return next === values ? values : withoutSpaces(next)
}

test('no style sheet finds an element by words that are another in each language', () => {
  const found = files.filter(
    (file) => file.endsWith('.css') && /\[(?:aria-label|title|alt|placeholder)[*^$~|]?=/.test(read(file)),
  )
  expect(found).toEqual([])
})
