import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { checkNode, install, root } from './install.mjs'
import { swapIn } from './swap-in.mjs'
import { generateTexts } from './texts.mjs'

const distDir = join(root, 'dist')
/** Where it is built; `vite.out-dir.ts` has the same name. A server may be running from `dist` meanwhile. */
const outDir = join(root, 'dist.new')
const webDir = join(outDir, 'web')
/** What each language has of its own: the pages' shells, and the list of files for use without network. */
const shellsOf = (language) => join(webDir, '.shells', language)
const stampIn = (dir) => join(dir, '.built')
/** Size limits in kB for the public event page's JavaScript, gzipped: before it is used, and in total. */
const MOST_FIRST_KB = 15
const MOST_KB = 105
/** Size limit in kB for the JavaScript of the pages for signing in, gzipped, in the language with the longest words. */
const MOST_SIGN_IN_KB = 93
/** Size limit in kB for the dashboard's JavaScript, compressed with Brotli as browsers receive it, in the language with the longest words. */
const MOST_DASHBOARD_KB = 145
/** The kinds of files that are smaller when compressed. */
const COMPRESSED = ['.js', '.css', '.svg', '.wasm', '.webmanifest']
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

/** Built once, for all languages. */
const commonConfigs = ['vite.server.config.ts', 'vite.render.config.ts', 'vite.worker.config.ts']
/** Built once for each language. */
const pageConfigs = ['vite.config.ts', 'vite.public.config.ts']
/** How many builds run at once; each also works in threads of its own. */
const BUILDS_AT_ONCE = 2

/** Builds server and web, unless nothing has changed since the last time, and then puts them into `dist`. */
export async function build() {
  const languages = await generateTexts()
  const state = stateOfSources()
  const stamp = stampIn(distDir)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return
  console.log('Building …')
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(outDir, { recursive: true })
  await buildAll([
    ...commonConfigs.map((config) => ({ config })),
    ...languages.flatMap((language) => pageConfigs.map((config) => ({ config, language }))),
  ])
  languages.forEach(mergePages)
  rmSync(join(outDir, 'pages-of'), { recursive: true })
  refuseDevPages(languages[0])
  languages.forEach(listOfflineFiles)
  await compress(languages)
  weighPages(languages)
  writeFileSync(stampIn(outDir), state)
  swapIn(outDir, distDir)
}

/** Runs the builds, a few at once, and ends with the exit code of the first that fails. */
async function buildAll(builds) {
  const rest = [...builds]
  const failed = new AbortController()
  const next = async () => {
    for (let build = rest.shift(); build; build = rest.shift()) {
      const { config, language } = build
      const vite = join(root, 'node_modules/vite/bin/vite.js')
      const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn', '--config', config], {
        cwd: root,
        stdio: 'inherit',
        signal: failed.signal,
        env: { ...process.env, ...(language && { BUILD_LANGUAGE: language }) },
      })
      const [code] = await once(child, 'exit')
      if (code === 0) continue
      // One that goes on would write into the folder of the next build.
      failed.abort()
      process.exit(code ?? 1)
    }
  }
  await Promise.all(Array.from({ length: BUILDS_AT_ONCE }, next))
}

/** Moves the files of a language's pages to those of the others. They are named by their content: what has no texts is the same file. */
function mergePages(language) {
  for (const config of pageConfigs) {
    const built = join(outDir, 'pages-of', language, config)
    for (const file of filesIn(built)) {
      const path = relative(built, file)
      const isOwn = path.endsWith('.html') || path.startsWith('.vite')
      const target = join(isOwn ? shellsOf(language) : webDir, path)
      mkdirSync(dirname(target), { recursive: true })
      if (existsSync(target) && !readFileSync(target).equals(readFileSync(file)))
        throw new Error(`${path} is another file in ${language} than in the languages before.`)
      renameSync(file, target)
    }
  }
}

/** Fails the build when it holds a page that is for development only. */
function refuseDevPages(language) {
  const manifest = manifestOf(language, 'manifest.json')
  const found = Object.keys(manifest).filter((key) => key.startsWith('dev/'))
  if (found.length > 0) throw new Error(`Pages for development are in the build: ${found.join(', ')}`)
}

function manifestOf(language, name) {
  return JSON.parse(readFileSync(join(shellsOf(language), '.vite', name), 'utf8'))
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
    'scripts/build.mjs',
    ...readdirSync(root).filter((name) => /^vite\..*\.ts$/.test(name)),
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
function listOfflineFiles(language) {
  const manifest = manifestOf(language, 'manifest.json')
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
  const ticket = [...filesOf(...pages, 'TicketLayout.tsx', 'TicketPage.tsx'), '/favicon.svg']
  // Staff at the door may also sign out there.
  const aroundDoor = ['signed-in', 'staff', 'phone-tools.ts', 'SignOutPage.tsx', 'SignInPage.tsx']
  const around = [...new Set([...filesOf(...pages, ...aroundDoor, 'ScannerPage.tsx'), ...decoder(), '/favicon.svg'])]
  const isFlag = (file) => /^\/assets\/[A-Z]{2}-[^/]*\.svg$/.test(file)
  const flags = around.filter(isFlag)
  if (flags.length < 200)
    throw new Error('The flags are not where they were: isFlag() must be told of their new names.')
  const door = around.filter((file) => !isFlag(file))
  writeFileSync(join(shellsOf(language), 'offline-files.json'), JSON.stringify({ ticket, door, flags }))
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
 * Prints the size of the JavaScript of the public event page and of the dashboard in the language where each is largest, and fails the build
 * when one is over its limit. For the event page: the script it starts with, the script that takes it over, and what its form loads on use.
 */
function weighPages(languages) {
  const weights = languages.map(weightsOf)
  const most = (of) => Math.max(...weights.map(of))
  const first = most((each) => each.first)
  const whole = most((each) => each.whole)
  const signIn = most((each) => each.signIn)
  const dashboard = most((each) => each.dashboard)
  const kB = (weight) => weight.toFixed(2)
  console.log(
    `The public event page comes with ${kB(first)} kB of JavaScript, gzipped (at most ${MOST_FIRST_KB}), ` +
      `${kB(whole)} kB once it is taken over (at most ${MOST_KB}), and ${kB(most((each) => each.form))} kB more when its form is used. ` +
      `Signing in: ${kB(signIn)} kB (at most ${MOST_SIGN_IN_KB}). The dashboard: ${kB(dashboard)} kB with Brotli (at most ${MOST_DASHBOARD_KB}).`,
  )
  if (first > MOST_FIRST_KB || whole > MOST_KB || signIn > MOST_SIGN_IN_KB || dashboard > MOST_DASHBOARD_KB) {
    console.error('A page is larger than its limit, so the build fails.')
    process.exit(1)
  }
}

function weightsOf(language) {
  const visitors = chunksOf(language, 'public-manifest.json')
  const event = visitors((key) => key.startsWith('_take-over-')).concat(visitors((key) => key.startsWith('_event-')))
  const tools = visitors((key) => key.endsWith('phone-tools.ts'))
  const staff = chunksOf(language, 'manifest.json')
  const dashboard = staff((key) => key.startsWith('_signed-in-') && key.endsWith('.js'))
  return {
    first: weightOf(
      visitors((key) => key.startsWith('_public-')),
      'gz',
    ),
    whole: weightOf(event, 'gz'),
    signIn: weightOf(
      visitors((key) => key.startsWith('_account-')),
      'gz',
    ),
    form: weightOf(
      tools.filter((file) => !event.includes(file)),
      'gz',
    ),
    dashboard: weightOf(dashboard.concat(staff((key) => key === 'index.html')), 'br'),
  }
}

/** Returns a function that finds a chunk's file with those of everything it imports, by the keys of a manifest. */
function chunksOf(language, name) {
  const manifest = manifestOf(language, name)
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

/** The size in kB of files as they are served with a compression, `gz` or `br`, each counted once. */
function weightOf(files, compression) {
  return (
    [...new Set(files)].reduce((sum, file) => sum + readFileSync(join(webDir, `${file}.${compression}`)).length, 0) /
    1000
  )
}

/** Compressed once here, so that no request has to: visitors' scripts with Zopfli, which is slow and saves 3.5 % over the best of zlib. */
async function compress(languages) {
  // Not at the top: `npm start` reads this file before the packages are installed.
  const { default: zopfli } = await import('@gfx/zopfli')
  const visitors = new Set(
    languages.flatMap((language) =>
      Object.values(manifestOf(language, 'public-manifest.json')).map(({ file }) => file),
    ),
  )
  const rest = filesIn(webDir).filter((file) => COMPRESSED.includes(extname(file)))
  const next = async () => {
    for (let file = rest.shift(); file; file = rest.shift()) {
      const bytes = readFileSync(file)
      const isVisitors = extname(file) === '.js' && visitors.has(relative(webDir, file))
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, brotli))
      writeFileSync(
        `${file}.gz`,
        await (isVisitors ? zopfli.gzipAsync(bytes, {}) : promisify(gzip)(bytes, { level: 9 })),
      )
    }
  }
  await Promise.all(Array.from({ length: BUILDS_AT_ONCE }, next))
}

if (process.argv[1] === import.meta.filename) {
  checkNode()
  install()
  await build()
}
