import { tabStore } from '../storage.ts'

const KEY = 'reloadedAt'
/** A page is not reloaded again within this time, in ms. */
const PAUSE_MS = 60_000

let ahead = 0

/** Loads a part before it is needed. If it is gone from the server, the page is not reloaded until somebody asks for the part. */
export function loadAhead(load: () => Promise<unknown>): void {
  ahead++
  load()
    .catch(() => {})
    .finally(() => ahead--)
}

/**
 * After an upgrade of the server, an open page may request parts that are gone: it reloads, once. Only if the server answers
 * 404: when the network failed, the page that requested the part reports it. A missing phone number library never reloads the
 * page, because unsaved input in a form is worth more.
 */
export function reloadWhenGone(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    if (ahead > 0) return
    // Safari does not name the part. Then the page's own entry is checked, which disappears together with the others.
    const entry = document.querySelector<HTMLScriptElement>('script[type=module]')?.src
    const url = /https?:\S+\.js/.exec(payload.message)?.[0] ?? entry
    if (!url || url.includes('/phone-tools') || navigator.onLine === false) return
    const last = Number(tabStore.read(KEY) ?? 0)
    if (Date.now() - last < PAUSE_MS) return
    void fetch(url, { method: 'HEAD', cache: 'no-store' }).then(
      ({ status }) => {
        if (status === 404 && tabStore.write(KEY, String(Date.now()))) window.location.reload()
      },
      () => {},
    )
  })
}
