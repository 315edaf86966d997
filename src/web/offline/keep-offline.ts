import * as z from 'zod/mini'
import type { Language } from '../../texts/language.ts'
import { chosenLanguage } from '../session/keep-language.ts'

const FILES = 'turnout-files'
const SHELL = '/offline-shell'
const FLAGS = '/offline-kept-flags'
/** A page whose HTML names no ticket and no event. */
const SHELL_PATH = '/door'
/** How many files are fetched at the same time. */
const AT_ONCE = 6

export type Part = 'ticket' | 'door'
const parts: readonly Part[] = ['ticket', 'door']

/** The files of each part, as the build lists them: see scripts/build.mjs. */
const lists = z.object({ ticket: z.array(z.string()), door: z.array(z.string()), flags: z.array(z.string()) })
type Lists = z.output<typeof lists>

/**
 * Stores a part's files on this device, so that its pages also open without network. Returns whether they do now, with this version or
 * one stored before. Browsers without service workers and pages without TLS store nothing.
 */
export async function keepOffline(what: Part): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return false
  try {
    await navigator.serviceWorker.register('/service-worker.js').catch(() => {})
    const files = await caches.open(FILES)
    const latest = storeLatest(files, what).catch(() => false)
    // A version that was stored before is enough, however long the latest one takes on a weak network.
    if (!(await isComplete(files, what)) && !(await latest)) return false
    await navigator.serviceWorker.ready
    return true
  } catch {
    return false
  }
}

/** Stores the server's version of a part in this language. Returns whether it is stored now. */
export async function storeIn(language: Language, what: Part): Promise<boolean> {
  try {
    return await storeLatest(await caches.open(FILES), what, language)
  } catch {
    return false
  }
}

/** Updates what this device stores where its pages cannot do that themselves, because they are too old for the server. */
export async function updateStored(): Promise<void> {
  if (!('caches' in window)) return
  for (const part of parts)
    if (await caches.match(listPathOf(part), { cacheName: FILES })) return void (await keepOffline(part))
}

/**
 * Fetches the server's version without changing the one stored before, which stays complete until the new one is. Returns whether the new one
 * is complete.
 */
async function storeLatest(files: Cache, what: Part, language = chosenLanguage()): Promise<boolean> {
  const build = `?build=${language}`
  const [list, shell] = await Promise.all([fetch(`/offline-files.json${build}`), fetch(SHELL_PATH + build)])
  const all = lists.parse(await list.json())
  // The other part is updated with it, if it is stored here: the same shell opens both.
  const wanted: Part[] = []
  for (const part of parts) if (part === what || (await files.match(listPathOf(part)))) wanted.push(part)
  // During an upgrade of the server, list and page may be of different versions.
  const entry = entryOf(await shell.clone().text())
  if (!shell.ok || entry === null || !all[what].includes(entry)) return false
  await fetchMissing(files, [...new Set(wanted.flatMap((part) => all[part]))])
  for (const part of wanted) await files.put(listPathOf(part), new Response(JSON.stringify(all[part])))
  await files.put(SHELL, shell)
  void storeFlags(files, all, wanted, entry).catch(() => {})
  return true
}

/** Stores the flags, which nothing waits for. Then has the files of earlier versions deleted, if this page needs none of them. */
async function storeFlags(files: Cache, { flags }: Lists, wanted: readonly Part[], entry: string): Promise<void> {
  if (wanted.includes('door')) {
    await files.put(FLAGS, new Response(JSON.stringify(flags)))
    await fetchMissing(files, flags).catch(() => {})
  }
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src^="/assets/"]')
  // A page that the server rendered needs none of the stored files.
  const isLatest = own?.getAttribute('src') === entry || document.documentElement.dataset.rendered !== undefined
  const worker = (await navigator.serviceWorker.ready).active
  if (isLatest) worker?.postMessage('tidy')
}

/** Stores each file as it arrives, so that after a failure only the missing ones are fetched again. */
async function fetchMissing(files: Cache, names: readonly string[]): Promise<void> {
  const kept = await namesIn(files)
  const missing = names.filter((name) => !kept.has(name))
  const next = async (): Promise<void> => {
    for (let name = missing.pop(); name !== undefined; name = missing.pop()) await files.add(name)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}

/** Whether all files of a part that was stored before are still here. */
async function isComplete(files: Cache, what: Part): Promise<boolean> {
  const list = z.array(z.string()).safeParse(await (await files.match(listPathOf(what)))?.json().catch(() => null))
  const kept = await namesIn(files)
  return list.success && kept.has(SHELL) && list.data.every((name) => kept.has(name))
}

async function namesIn(files: Cache): Promise<Set<string>> {
  return new Set((await files.keys()).map(({ url }) => new URL(url).pathname))
}

/** The entry script of a page; its name changes with every version. */
function entryOf(html: string): string | null {
  return /<script type="module"[^>]* src="(\/assets\/[^"]+)"/.exec(html)?.[1] ?? null
}

/** The cache entry that lists the files of a stored part. */
function listPathOf(part: Part): string {
  return `/offline-kept-${part}`
}
