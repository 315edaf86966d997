import * as z from 'zod/mini'

const FILES = 'turnout-files'
const SHELL = '/offline-shell'
const FLAGS = '/offline-kept-flags'
/** A page whose HTML names no ticket or event of anybody. */
const SHELL_PATH = '/door'
/** So many files are asked for at the same time. */
const AT_ONCE = 6

export type Part = 'ticket' | 'door'
const parts: readonly Part[] = ['ticket', 'door']

/** The files that the build lists for each, see scripts/build.mjs. */
const lists = z.object({ ticket: z.array(z.string()), door: z.array(z.string()), flags: z.array(z.string()) })
type Lists = z.output<typeof lists>

/**
 * Keeps what a page needs on this device, so that it opens without network too. Answers whether that is so now, with this
 * version or with the one kept before; a browser without service workers, or a page without TLS, keeps nothing.
 */
export async function keepOffline(what: Part): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return false
  try {
    await navigator.serviceWorker.register('/service-worker.js').catch(() => {})
    const files = await caches.open(FILES)
    const latest = keepLatest(files, what).catch(() => false)
    // The version kept before is enough, however long the latest takes on a weak network.
    if (!(await isWhole(files, what)) && !(await latest)) return false
    await navigator.serviceWorker.ready
    return true
  } catch {
    return false
  }
}

/** Brings what this device keeps up to date where its pages do not get so far as to do it: they may be too old for the server. */
export async function renewKept(): Promise<void> {
  if (!('caches' in window)) return
  for (const part of parts)
    if (await caches.match(markOf(part), { cacheName: FILES })) return void (await keepOffline(part))
}

/**
 * Fetches the version that the server has now, beside the one kept before, which stays whole until this one is. Answers whether
 * it is all here.
 */
async function keepLatest(files: Cache, what: Part): Promise<boolean> {
  const [list, shell] = await Promise.all([fetch('/offline-files.json'), fetch(SHELL_PATH)])
  const all = lists.parse(await list.json())
  // What this device kept before is brought up to date with it: one shell opens both.
  const wanted: Part[] = []
  for (const part of parts) if (part === what || (await files.match(markOf(part)))) wanted.push(part)
  // In the middle of an upgrade list and page may be of two versions.
  const entry = entryOf(await shell.clone().text())
  if (!shell.ok || entry === null || !all[what].includes(entry)) return false
  await fetchMissing(files, [...new Set(wanted.flatMap((part) => all[part]))])
  for (const part of wanted) await files.put(markOf(part), new Response(JSON.stringify(all[part])))
  await files.put(SHELL, shell)
  void keepMore(files, all, wanted, entry).catch(() => {})
  return true
}

/** Flags are nice to have, so that they keep nothing else back; what earlier versions used goes last, if no page may need it. */
async function keepMore(files: Cache, { flags }: Lists, wanted: readonly Part[], entry: string): Promise<void> {
  if (wanted.includes('door')) {
    await files.put(FLAGS, new Response(JSON.stringify(flags)))
    await fetchMissing(files, flags).catch(() => {})
  }
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src^="/assets/"]')
  const isLatest = own?.getAttribute('src') === entry
  const worker = (await navigator.serviceWorker.ready).active
  if (isLatest) worker?.postMessage('tidy')
}

/** Each file is kept as it comes: when one does not, the others are not asked for again. */
async function fetchMissing(files: Cache, names: readonly string[]): Promise<void> {
  const kept = await namesIn(files)
  const missing = names.filter((name) => !kept.has(name))
  const next = async (): Promise<void> => {
    for (let name = missing.pop(); name !== undefined; name = missing.pop()) await files.add(name)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}

/** Whether all of a part that this device kept before is still here. */
async function isWhole(files: Cache, what: Part): Promise<boolean> {
  const list = z.array(z.string()).safeParse(await (await files.match(markOf(what)))?.json().catch(() => null))
  const kept = await namesIn(files)
  return list.success && kept.has(SHELL) && list.data.every((name) => kept.has(name))
}

async function namesIn(files: Cache): Promise<Set<string>> {
  return new Set((await files.keys()).map(({ url }) => new URL(url).pathname))
}

/** The script that a page starts with; its name changes with every part of the version. */
function entryOf(html: string): string | null {
  return /<script type="module"[^>]* src="(\/assets\/[^"]+)"/.exec(html)?.[1] ?? null
}

/** Says in the cache that this is kept here, and of which files it is made. */
function markOf(part: Part): string {
  return `/offline-kept-${part}`
}
