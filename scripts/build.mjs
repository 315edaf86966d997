import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { checkNode, install, root, run } from './install.mjs'
import { generateTexts } from './texts.mjs'

const webDir = join(root, 'dist', 'web')
const stamp = join(root, 'dist', '.built')
/** Size limits in kB for the public event page's JavaScript, gzipped: before it is used, and in total. */
const MOST_FIRST_KB = 15
const MOST_KB = 106.5
/** Size limit in kB for the dashboard's JavaScript, compressed with Brotli as browsers receive it. */
const MOST_DASHBOARD_KB = 152
/** As the files are served. */
const zip = (bytes) => gzipSync(bytes, { level: 9 })
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const configs = [
  'vite.server.config.ts',
  'vite.config.ts',
  'vite.public.config.ts',
  'vite.render.config.ts',
  'vite.worker.config.ts',
]

/** Builds server and web into dist/, unless nothing has changed since the last time. */
export async function build() {
  await generateTexts()
  const state = stateOfSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return
  console.log('Building …')
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  mkdirSync(join(root, 'dist'), { recursive: true })
  for (const config of configs)
    run(process.execPath, [
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      '--logLevel',
      'warn',
      '--config',
      config,
    ])
  refuseDevPages()
  listOfflineFiles()
  weighPages()
  compress(webDir)
  writeFileSync(stamp, state)
}

/** Fails the build when it holds a page that is for development only. */
function refuseDevPages() {
  const manifest = JSON.parse(readFileSync(join(webDir, '.vite', 'manifest.json'), 'utf8'))
  const found = Object.keys(manifest).filter((key) => key.startsWith('dev/'))
  if (found.length > 0) throw new Error(`Pages for development are in the build: ${found.join(', ')}`)
}

function filesIn(dir) {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function stateOfSources() {
  const single = [
    'package-lock.json',
    'package.json',
    'vite.preload-fonts.ts',
    'vite.one-language.ts',
    'scripts/build.mjs',
    ...configs,
  ]
  const files = [
    ...filesIn(join(root, 'src')),
    ...filesIn(join(root, 'public')),
    ...filesIn(join(root, 'test/test-bank')),
    ...single.map((name) => join(root, name)),
  ]
  const hash = createHash('sha256')
  for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}

/**
 * Lists the files that a ticket and the door need without network, for `keepOffline`; flags are separate, since nothing depends on them.
 */
function listOfflineFiles() {
  const manifest = JSON.parse(readFileSync(join(webDir, '.vite', 'manifest.json'), 'utf8'))
  const filesOf = (...names) => {
    const seen = new Set()
    const files = new Set()
    const visit = (key) => {
      if (!key || seen.has(key)) return
      seen.add(key)
      const { file, css = [], assets = [], imports = [] } = manifest[key]
      for (const each of [file, ...css, ...assets]) files.add(`/${each}`)
      for (const imported of imports) visit(imported)
    }
    const keys = Object.keys(manifest)
    visit(keys.find((key) => manifest[key].isEntry))
    for (const name of names) {
      // The name of a module, or of a chunk of vite.config.ts.
      const key = keys.find((each) => each.endsWith(name) || (each.startsWith(`_${name}-`) && each.endsWith('.js')))
      if (!key) throw new Error(`${name} is not in the manifest: listOfflineFiles() must be told of its new name.`)
      visit(key)
    }
    // Each font comes in a newer and an older format; browsers with service workers read the newer.
    return [...files].filter((file) => !file.endsWith('.woff'))
  }
  const pages = ['app']
  const ticket = [...filesOf(...pages, 'TicketPage.tsx'), '/favicon.svg']
  // Staff at the door may also sign out there.
  const aroundDoor = ['signed-in', 'staff', 'phone-tools.ts', 'SignOutPage.tsx', 'SignInPage.tsx']
  const around = [...new Set([...filesOf(...pages, ...aroundDoor, 'ScannerPage.tsx'), ...decoder(), '/favicon.svg'])]
  const isFlag = (file) => /^\/assets\/[A-Z]{2}-[^/]*\.svg$/.test(file)
  const flags = around.filter(isFlag)
  if (flags.length < 200)
    throw new Error('The flags are not where they were: isFlag() must be told of their new names.')
  const door = around.filter((file) => !isFlag(file))
  writeFileSync(join(webDir, 'offline-files.json'), JSON.stringify({ ticket, door, flags }))
}

/** The worker that decodes QR codes, with its WebAssembly: files that a worker loads are not in the manifest. */
function decoder() {
  const names = readdirSync(join(webDir, 'assets')).filter((name) =>
    /^(decode-worker-.*\.js|zxing_reader-.*\.wasm)$/.test(name),
  )
  if (names.length !== 2) throw new Error('The decoder is not where it was: decoder() must be told of its new names.')
  return names.map((name) => `/assets/${name}`)
}

/**
 * Prints the size of the JavaScript of the public event page and of the dashboard, and fails the build when it is over the limit. For the
 * event page: the script it starts with, the script that takes it over, and what its form loads on use.
 */
function weighPages() {
  const visitors = chunksOf('public-manifest.json')
  const takeOver = visitors((key) => key.startsWith('_take-over-'))
  const first = weightOf(
    visitors((key) => key.startsWith('_public-')),
    zip,
  )
  const whole = weightOf(takeOver, zip)
  const signIn = weightOf(
    visitors((key) => key.startsWith('_account-')),
    zip,
  )
  const tools = visitors((key) => key.endsWith('phone-tools.ts'))
  const form = weightOf(
    tools.filter((file) => !takeOver.includes(file)),
    zip,
  )
  const staff = chunksOf('manifest.json')
  const dashboard = weightOf(
    staff((key) => key.startsWith('_signed-in-') && key.endsWith('.js')).concat(staff((key) => key === 'index.html')),
    (bytes) => brotliCompressSync(bytes, brotli),
  )
  console.log(
    `The public event page comes with ${first.toFixed(1)} kB of JavaScript, gzipped (at most ${MOST_FIRST_KB}), ` +
      `${whole.toFixed(1)} kB once it is taken over (at most ${MOST_KB}), and ${form.toFixed(1)} kB more when its form is used. Signing in: ${signIn.toFixed(1)} kB. ` +
      `The dashboard: ${dashboard.toFixed(1)} kB with Brotli (at most ${MOST_DASHBOARD_KB}).`,
  )
  if (first > MOST_FIRST_KB || whole > MOST_KB || signIn > MOST_KB || dashboard > MOST_DASHBOARD_KB) process.exit(1)
}

/** Returns a function that finds a chunk's file with those of everything it imports, by the keys of a manifest. */
function chunksOf(name) {
  const manifest = JSON.parse(readFileSync(join(webDir, '.vite', name), 'utf8'))
  return (isRoot) => {
    const seen = new Set()
    const visit = (key) => {
      if (seen.has(key)) return
      seen.add(key)
      for (const imported of manifest[key].imports ?? []) visit(imported)
    }
    const root = Object.keys(manifest).find(isRoot)
    // Without this check, a missing chunk would count as an empty page, which always passes.
    if (!root) throw new Error(`A part of a page is not in ${name}: weighPages() must be told of its name.`)
    visit(root)
    return [...seen].map((key) => manifest[key].file)
  }
}

/** The compressed size of files in kB, each counted once. */
function weightOf(files, compressed) {
  return [...new Set(files)].reduce((sum, file) => sum + compressed(readFileSync(join(webDir, file))).length, 0) / 1000
}

/** Compressed once here, so that no request has to. */
function compress(dir) {
  for (const file of filesIn(dir)) {
    if (!['.js', '.css', '.svg', '.wasm', '.webmanifest'].includes(extname(file))) continue
    const bytes = readFileSync(file)
    writeFileSync(`${file}.gz`, zip(bytes))
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, brotli))
  }
}

if (process.argv[1] === import.meta.filename) {
  checkNode()
  install()
  await build()
}
