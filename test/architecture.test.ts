import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { pagePaths } from '../src/contract/page-paths.ts'
import { ownRefusals } from '../vite.drop-sentences.ts'

const src = resolve(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
)

/** Every import in the source, as [importing file, imported file or package]. */
const imports = files.flatMap((file) =>
  [
    ...readFileSync(join(src, file), 'utf8').matchAll(
      /(?:^(?:import|export)\b[^'"]*?\bfrom |^import |\bimport\()['"](.+?)['"]/gm,
    ),
  ].map(([, target = '']): [string, string] => [
    file,
    target.startsWith('.') ? relative(src, resolve(src, dirname(file), target)) : target,
  ]),
)

function importersOf(target: RegExp, allowed: RegExp) {
  return imports
    .filter(([file, to]) => target.test(to) && !allowed.test(file))
    .map(([file, to]) => `${file} imports ${to}`)
}

test('the imports were found', () => {
  expect(imports.length).toBeGreaterThan(200)
})

test('only queries and the database folder speak SQL', () => {
  expect(importersOf(/^(kysely|pg)$/, /(^server\/(db)\/|queries\.ts$|http\/health\.ts$)/)).toEqual([])
})

test('only the HTTP folder, the app and the routes know Fastify', () => {
  expect(importersOf(/^fastify$/, /^server\/(http\/|app\.ts|deps\.ts|\w+\/routes\.ts)/)).toEqual([])
})

test('the contract imports nothing but zod/mini, the phone numbers’ rules, the texts, and itself', () => {
  const foreign = imports.filter(
    ([file, to]) =>
      file.startsWith('contract/') &&
      to !== 'zod/mini' &&
      !(file === 'contract/values/phones.ts' && to === 'libphonenumber-js/min') &&
      !/^(contract|texts)\//.test(to),
  )
  expect(foreign).toEqual([])
})

test('the texts import nothing else, and one language is only chosen by the build', () => {
  expect(imports.filter(([file, to]) => file.startsWith('texts/') && !to.startsWith('texts/'))).toEqual([])
  expect(importersOf(/^texts\/generated\/[^/]+\//, /^texts\/generated\//)).toEqual([])
})

test('the web never imports the server, nor the server the web', () => {
  expect(importersOf(/^server\//, /^server\//)).toEqual([])
  expect(importersOf(/^web\//, /^web\//)).toEqual([])
})

test('the paths that the server knows are the web’s routes', () => {
  const routesIn = (file: string, pattern: RegExp) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(pattern)].map(([, path = '']) => `/${path}`)
  const routes = new Set([
    ...routesIn('web/routing/routes.ts', /\b(?:page|way)\(\s*'\/([^']*)'/g),
    ...routesIn('web/rendering/read-page.ts', /case '\/([^']*)'/g),
    // The page for all other addresses.
    '/not-found/:status?/:message?',
  ])
  expect([...routes].sort()).toEqual([...pagePaths].sort())
})

test('a feature never uses the routes of another', () => {
  expect(importersOf(/^server\/\w+\/routes\.ts$/, /^server\/app\.ts$/)).toEqual([])
})

test('visitors load neither Mantine nor the staff router', () => {
  const reached = new Set<string>()
  const visit = (file: string): void => {
    if (reached.has(file)) return
    reached.add(file)
    for (const [from, to] of imports) if (from === file) visit(to)
  }
  visit('web/rendering/boot.ts')
  expect([...reached].filter((file) => /^(@mantine|@tanstack|react-router|react-hook-form)/.test(file))).toEqual([])
  expect(reached.size).toBeGreaterThan(50)
})

test('pages for development stand behind a condition that the build removes', () => {
  expect(importersOf(/^web\/dev\//, /^web\/routing\/router\.tsx$/)).toEqual([])
  const router = readFileSync(join(src, 'web/routing/router.tsx'), 'utf8')
  expect(
    router.match(
      /import\.meta\.env\.DEV\s*\?[^:]*: *'\/dev\/ui', lazy: [^:]*: \(await import\('\.\.\/dev\/UiPage\.tsx'\)/,
    ),
  ).not.toBeNull()
  expect(router.match(/\/dev\//g)).toHaveLength(2)
})

test('only the storage module touches what the browser stores', () => {
  const others = files.filter(
    (file) =>
      file.startsWith('web/') &&
      file !== 'web/storage.ts' &&
      /\b(local|session)Storage\b/.test(readFileSync(join(src, file), 'utf8')),
  )
  expect(others).toEqual([])
})

test('no regular expression of the web uses look-behind, which keeps the whole file from loading in Safari before 16.4', () => {
  const behind = files.filter(
    (file) => /^(web|contract|service-worker)\//.test(file) && /\(\?<[=!]/.test(readFileSync(join(src, file), 'utf8')),
  )
  expect(behind).toEqual([])
})

test('the web calls no method that browsers of 2022 do not have', () => {
  const newer =
    /\.(toSorted|toReversed|toSpliced|findLast|findLastIndex|isWellFormed|isSubsetOf|isSupersetOf|symmetricDifference)\(|\b((Object|Map)\.groupBy|Promise\.withResolvers|Array\.fromAsync|URL\.canParse|AbortSignal\.any|structuredClone)\b/g
  const used = files
    .filter((file) => /^(web|contract)\//.test(file))
    .flatMap((file) => (readFileSync(join(src, file), 'utf8').match(newer) ?? []).map((name) => `${file}: ${name}`))
  expect(used).toEqual([])
})

test('no files import each other in a cycle', () => {
  const state = new Map<string, 'open' | 'done'>()
  const circles: string[] = []
  const visit = (file: string, way: string[]): void => {
    if (state.get(file) === 'open') circles.push([...way.slice(way.indexOf(file)), file].join(' → '))
    if (state.has(file)) return
    state.set(file, 'open')
    for (const [from, to] of imports) if (from === file && to.includes('/')) visit(to, [...way, file])
    state.set(file, 'done')
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

test('no folders of the server use each other in a circle', () => {
  // Ignores types: the proof of a row, such as `OwnEvent`, is named wherever it is needed.
  const uses = new Map<string, Set<string>>()
  for (const file of files.filter((name) => /^server\/\w+\//.test(name)))
    for (const [, clause = '', target = ''] of readFileSync(join(src, file), 'utf8').matchAll(
      /^(?:import|export)\b([^'"]*?)\bfrom ['"](\..+?)['"]/gm,
    )) {
      const to = dirname(relative(src, resolve(src, dirname(file), target)))
      const names = clause.replace(/[{}]/g, '').split(',')
      const isTypes = /^\s*type\b/.test(clause) || names.every((name) => /^\s*(type\b.*)?$/s.test(name))
      if (isTypes || to === dirname(file) || !/^server\/\w+$/.test(to)) continue
      uses.set(dirname(file), (uses.get(dirname(file)) ?? new Set()).add(to))
    }
  expect(uses.size).toBeGreaterThan(15)
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (folder: string, way: string[]): void => {
    if (way.includes(folder)) circles.push([...way.slice(way.indexOf(folder)), folder].join(' → '))
    if (way.includes(folder) || done.has(folder)) return
    for (const to of uses.get(folder) ?? []) visit(to, [...way, folder])
    done.add(folder)
  }
  for (const folder of uses.keys()) visit(folder, [])
  expect(circles).toEqual([])
})

test('the base folders import no feature', () => {
  const features =
    /^server\/(attendees|auth|checkins|clubs|door|events|extras|forms|pages|payments|redemptions|registrations|scans|statistics|texts|users)\//
  const ground = /^server\/(access|db|http|images|jobs|limits|mail|places|records|sheets|tickets)\//
  const back = imports.filter(([file, to]) => ground.test(file) && features.test(to))
  expect(back.map(([file, to]) => `${file} imports ${to}`)).toEqual([])
})

/** Why these folders hold more files than the others may. */
const largeFolders: Readonly<Record<string, string>> = {
  contract: 'one file for each feature',
  'server/db/migrations': 'one file for each change of the schema',
}

test('a folder holds no more than 18 files', () => {
  const counts = new Map<string, number>()
  // Generated files are not read by anybody.
  for (const file of files)
    if (!file.startsWith('texts/generated/')) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const large = [...counts].filter(([, count]) => count > 18).map(([folder]) => folder)
  expect(large.sort()).toEqual(Object.keys(largeFolders).sort())
})

test('no file is longer than 400 lines', () => {
  const root = resolve(src, '..')
  const long = ['src', 'test', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|mjs|css)$/.test(file) && !file.startsWith('client/generated/'))
      .map((file) => `${folder}/${file}`)
      .filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 401),
  )
  expect(long).toEqual([])
})

test('browsers refuse only with sentences that their pages have', () => {
  const unsaid = files
    .filter((file) => /^(web|contract)\//.test(file))
    .flatMap((file) => [...readFileSync(join(src, file), 'utf8').matchAll(/new Refusal\('([A-Z_]+)'(?!, \{ msg)/g)])
    .filter(([, code = '']) => !ownRefusals.includes(code))
  expect(unsaid.map(([text]) => text)).toEqual([])
})

test('the scripts that install the packages import none of them at their start', () => {
  const folder = resolve(src, '../scripts')
  const importsOf = (file: string) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/^import .* from '([^']+)'/gm)].map(([, from = '']) => from)
  const installing = readdirSync(folder).filter(
    (file) => file.endsWith('.mjs') && importsOf(file).includes('./install.mjs'),
  )
  expect(installing).toContain('start.mjs')
  const needed = new Set(installing)
  // The loop over a set also visits what is added during it.
  for (const file of needed) for (const from of importsOf(file)) if (from.startsWith('./')) needed.add(from.slice(2))
  const packages = [...needed].flatMap((file) => importsOf(file)).filter((from) => !/^(node:|\.\/)/.test(from))
  expect(packages).toEqual([])
})
