import * as z from 'zod/mini'

const FILES = 'turnout-files'
const SHELL = '/offline-shell'

/** The files that the build lists for each, see scripts/build.mjs. */
const lists = z.object({ ticket: z.array(z.string()), door: z.array(z.string()) })

/**
 * Keeps what a page needs on this device, so that it opens without network too. Answers whether that is so now; a browser
 * without service workers, or a page without TLS, keeps nothing.
 */
export async function keepOffline(what: 'ticket' | 'door'): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return false
  try {
    await navigator.serviceWorker.register('/service-worker.js')
    const [list, shell] = await Promise.all([fetch('/offline-files.json'), fetch(window.location.pathname)])
    const { [what]: wanted, ...other } = lists.parse(await list.json())
    const files = await caches.open(FILES)
    const kept = new Set((await files.keys()).map(({ url }) => new URL(url).pathname))
    await files.addAll(wanted.filter((file) => !kept.has(file)))
    if (shell.ok) await files.put(SHELL, shell)
    // What an earlier version kept is not asked for any more.
    const known = new Set([...wanted, ...Object.values(other).flat(), SHELL])
    await Promise.all([...kept].filter((file) => !known.has(file)).map((file) => files.delete(file)))
    await navigator.serviceWorker.ready
    return true
  } catch {
    return false
  }
}
