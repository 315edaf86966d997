import { tabStore } from '../storage.ts'

const KEY = 'reloadedAt'
/** A page is not reloaded again within this time, in ms. */
const PAUSE_MS = 60_000

/** Errors of parts that nobody has asked for yet. */
const failedAhead = new WeakSet<Error>()

/** Loads a part before it is needed. If it is gone from the server, the page is not reloaded until somebody asks for the part. */
export function loadAhead(load: () => Promise<unknown>): void {
  load().catch((error: unknown) => error instanceof Error && failedAhead.add(error))
}

/** Resolves when `loadAhead` has received the error that Vite reports, which it does before it throws it. */
const afterItIsThrown = () => new Promise<void>((resolve) => setTimeout(resolve))

/**
 * After an upgrade of the server, an open page may request parts that are gone: it reloads, once. Only if the server answers
 * 404: when the network failed, the page that requested the part reports it. A missing phone number library never reloads the
 * page, because unsaved input in a form is worth more.
 */
export function reloadWhenGone(): void {
  window.addEventListener('vite:preloadError', async ({ payload }) => {
    await afterItIsThrown()
    if (failedAhead.has(payload)) return
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
