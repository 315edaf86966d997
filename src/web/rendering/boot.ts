import './public-styles.ts'
import { homeOf } from '../homes.ts'
import { markSignedIn } from '../layouts/mark-signed-in.ts'
import * as paths from '../paths.ts'
import { keptKeysOf, REGISTRATION_FORM } from '../registrations/typed.ts'
import { deviceStore, tabStore } from '../storage.ts'
import { completePresses } from './complete-presses.ts'
import { holdTaps } from './hold-taps.ts'
import { keepTyped } from './keep-typed.ts'
import type { Rendered } from './take-over.tsx'

// The first script of server-rendered pages. All others are loaded when somebody uses the page, or when the browser is idle.

/** The time to paint, in ms, for browsers without `requestIdleCallback`. */
const PAINT_MS = 200
const LONGEST_IDLE_MS = 2_000
/** After this time, in ms, a page without data of its own is reloaded. */
const OLD_MS = 60_000
const USES = ['pointerdown', 'keydown', 'focusin', 'input'] as const

markSignedIn()
leaveWhenSignedIn()
const root = document.getElementById('root')
const data = document.getElementById('page-data')?.textContent
if (root && data) prepare(root, data)
else if (root && needsRendering()) void import('./take-over.tsx').then(({ renderHere }) => renderHere(root))
else reloadWhenOld()

/** Such a page never updates itself, so it is reloaded when somebody comes back to it after a while. */
function reloadWhenOld(): void {
  const loadedAt = Date.now()
  const look = () => {
    const isOld = document.visibilityState === 'visible' && Date.now() - loadedAt > OLD_MS && navigator.onLine
    if (isOld && !isFormInUse()) window.location.reload()
  }
  document.addEventListener('visibilitychange', look)
  window.addEventListener('pageshow', look)
}

/** Whether the page is the answer to a form, which a reload would send again, or something was typed into a field. */
function isFormInUse(): boolean {
  const isTyped = [...document.querySelectorAll('input')].some(({ value, defaultValue }) => value !== defaultValue)
  return isTyped || document.querySelector('form [role=status], form [role=alert], form [aria-invalid=true]') !== null
}

/** Whether the browser has to render a page that came without data: see `data-rendered` in web-files.ts. */
function needsRendering(): boolean {
  const { rendered, signedIn } = document.documentElement.dataset
  // Staff also see pages that are not public yet.
  return rendered === undefined || hasMessage() || (rendered === 'missing' && signedIn !== undefined)
}

/** Whether there is a message to show, from the address or the previous page. */
function hasMessage(): boolean {
  return (
    window.location.search.includes('apiQueryMsg=') ||
    deviceStore.read('apiQueryMsg') !== null ||
    tabStore.read('notice') !== null
  )
}

/** Redirects signed-in users away from the pages for signing in and up. */
function leaveWhenSignedIn(): void {
  const isForOthers = /^\/(signin|register)\/?$/i.test(window.location.pathname)
  if (!isForOthers || document.documentElement.dataset.signedIn === undefined) return
  const role = /"role":"(\w+)"/.exec(deviceStore.read('currentUser') ?? '')?.[1]
  window.location.replace(role === undefined ? paths.dashboard : homeOf({ role }))
}

function prepare(root: HTMLElement, data: string): void {
  let isBegun = false
  completePresses()
  const taps = holdTaps(root)
  // Not validated: it comes from our own server, in the same version as this file.
  const rendered: Rendered = JSON.parse(data)
  const eventId = Number(/\/event\/(\d+)/i.exec(window.location.pathname)?.[1])
  // Also done here in case the rest of the script does not load: the next person to use this tab must not see who registered.
  if (isFirstTicket() && data.includes('"status":"confirmed"'))
    forgetKept(eventId || Number(/"eventId":(\d+)/.exec(data)?.[1]))
  const hasStored = hasKept(eventId)
  const typed = keepTyped(eventId, rendered.submitted?.form === 'register')
  const begin = () => {
    if (isBegun) return
    isBegun = true
    // Asked for at once, not only when the page's data are read.
    if (root.querySelector(`#${REGISTRATION_FORM}`)) import('./read-event.ts').catch(() => {})
    import('./take-over.tsx')
      .then(({ takeOver }) => takeOver(root, rendered, typed))
      .then(taps.release, () => {
        // Without network the page stays as it is, and the next use tries again. Some browsers do so only after a reload.
        taps.giveUp()
        isBegun = false
      })
  }
  for (const use of USES) document.addEventListener(use, begin, { capture: true, passive: true })
  const whenIdle = () =>
    'requestIdleCallback' in window
      ? window.requestIdleCallback(begin, { timeout: LONGEST_IDLE_MS })
      : setTimeout(begin, PAINT_MS)
  if (hasStored || hasMessage()) begin()
  else if (document.readyState === 'complete') whenIdle()
  else window.addEventListener('load', whenIdle, { once: true })
}

/** Whether this is the page on which somebody sees their ticket, or all tickets of their order, for the first time. */
function isFirstTicket(): boolean {
  return /^\/order\/|\/success\/?$/i.test(window.location.pathname)
}

/** Whether this tab stored something earlier that the page shows: see `registrations/draft.ts`. */
function hasKept(eventId: number): boolean {
  return keptKeysOf(eventId).some((key) => tabStore.read(key) !== null)
}

function forgetKept(eventId: number): void {
  for (const key of keptKeysOf(eventId)) tabStore.remove(key)
}
