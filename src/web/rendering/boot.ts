import './public-styles.ts'
import { homeOf } from '../homes.ts'
import { markSignedIn } from '../layouts/mark-signed-in.ts'
import { paths } from '../paths.ts'
import { keptKeysOf } from '../registrations/typed.ts'
import { deviceStore, tabStore } from '../storage.ts'
import { holdTaps } from './hold-taps.ts'
import { keepTyped } from './keep-typed.ts'
import type { Rendered } from './take-over.tsx'

// The first script of the pages that the server rendered. All else is loaded when somebody uses the page, or when the browser is idle.

/** A browser that tells nothing about its idle time gets this long to paint, in ms. */
const PAINT_MS = 200
const LONGEST_IDLE_MS = 2_000
/** After this time, in ms, a page without data of its own is loaded anew. */
const OLD_MS = 60_000
const USES = ['pointerdown', 'keydown', 'focusin', 'input'] as const

markSignedIn()
leaveWhenSignedIn()
const root = document.getElementById('root')
const data = document.getElementById('page-data')?.textContent
if (root && data) prepare(root, data)
else if (root && needsRendering()) void import('./take-over.tsx').then(({ renderHere }) => renderHere(root))
else reloadWhenOld()

/** A page without script of its own is as old as its loading: whoever comes back to it after a while sees it anew. */
function reloadWhenOld(): void {
  const loadedAt = Date.now()
  const look = () => {
    if (document.visibilityState === 'visible' && Date.now() - loadedAt > OLD_MS && navigator.onLine)
      window.location.reload()
  }
  document.addEventListener('visibilitychange', look)
  window.addEventListener('pageshow', look)
}

/** Whether the browser renders a page itself that came without data: see `data-rendered` in web-files.ts. */
function needsRendering(): boolean {
  const { rendered, signedIn } = document.documentElement.dataset
  // Staff see also what is not public yet.
  return rendered === undefined || hasMessage() || (rendered === 'missing' && signedIn !== undefined)
}

/** Whether there is something to tell: by the address, or by the page before. */
function hasMessage(): boolean {
  return (
    window.location.search.includes('apiQueryMsg=') ||
    deviceStore.read('apiQueryMsg') !== null ||
    tabStore.read('notice') !== null
  )
}

/** Whoever is signed in has nothing to do where people sign in or up. */
function leaveWhenSignedIn(): void {
  const isForOthers = /^\/(signin|register)\/?$/i.test(window.location.pathname)
  if (!isForOthers || document.documentElement.dataset.signedIn === undefined) return
  const role = /"role":"(\w+)"/.exec(deviceStore.read('currentUser') ?? '')?.[1]
  window.location.replace(role === undefined ? paths.dashboard : homeOf({ role }))
}

function prepare(root: HTMLElement, data: string): void {
  let isBegun = false
  const taps = holdTaps(root)
  // Our own server's, of the same version as this file.
  const rendered: Rendered = JSON.parse(data)
  const eventId = Number(/\/event\/(\d+)/i.exec(window.location.pathname)?.[1])
  // In case the rest of the script, which does so too, does not come: the next visitor of this tab must not see who registered.
  if (/\/success\/?$/i.test(window.location.pathname) && data.includes('"status":"confirmed"')) forgetKept(eventId)
  const hasStored = hasKept(eventId)
  const typed = keepTyped(eventId, rendered.submitted?.form === 'register')
  const begin = () => {
    if (isBegun) return
    isBegun = true
    for (const use of USES) document.removeEventListener(use, begin, true)
    import('./take-over.tsx')
      .then(({ takeOver }) => takeOver(root, rendered, typed))
      .then(taps.release, () => {
        // Without network the page goes on as it is; the next use tries again.
        taps.giveUp()
        isBegun = false
        listen()
      })
  }
  const listen = () => {
    for (const use of USES) document.addEventListener(use, begin, { capture: true, passive: true })
  }
  listen()
  const whenIdle = () =>
    'requestIdleCallback' in window
      ? window.requestIdleCallback(begin, { timeout: LONGEST_IDLE_MS })
      : setTimeout(begin, PAINT_MS)
  if (hasStored || hasMessage()) begin()
  else if (document.readyState === 'complete') whenIdle()
  else window.addEventListener('load', whenIdle, { once: true })
}

/** Whether an earlier visit of this tab has left something that the page shows: see `registrations/draft.ts`. */
function hasKept(eventId: number): boolean {
  return keptKeysOf(eventId).some((key) => tabStore.read(key) !== null)
}

function forgetKept(eventId: number): void {
  for (const key of keptKeysOf(eventId)) tabStore.remove(key)
}
