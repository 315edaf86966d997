import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { registrationApi } from '../../src/contract/registrations.ts'
import { launch } from '../e2e/browser.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { serve } from '../support/serve.ts'
import { median } from './median.ts'
import { measureAnswer, measureForm, measureScanner } from './page-use.ts'

// How fast pages load on a slow phone: `npm run bench:pages`. Chromium at 390 px, slow 4G (150 ms, 1.6 Mbit/s), CPU four times slower,
// with an empty cache and with a filled one. Each figure is the median of several loads.

const RUNS = Number(process.env.BENCH_RUNS ?? 5)
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const CPU_RATE = 4

interface Target {
  name: string
  path: string
  /** The selector of the element whose presence makes the page usable. */
  usable: string
  /** The selector of the element that appears once the page is hydrated; null for pages that never are. */
  running: string | null
  /** The token of the user who opens it; null for visitors. */
  token: string | null
}

interface Figures {
  requests: number
  kB: number
  scriptKB: number
  firstPaint: number
  largestPaint: number
  shift: number
  usable: number
  running: number
}

const PORT = 3932
const served = await serve({ port: PORT, env: { ...OPERATOR, LIMITS: 'off' } })
const browser = await launch()
try {
  const { event, token } = await makeEventAt(served.url)
  const { payload } = await callAt(served.url, registrationApi.initRegistration, registrationFor(event))
  const { id, qrUuid } = payload.savedRegistration
  for (let n = 0; n < 60; n++) await callAt(served.url, registrationApi.initRegistration, registrationFor(event))
  const targets: Target[] = [
    { name: 'landing', path: '/', usable: 'h1', running: null, token: null },
    { name: 'club', path: `/club/${event.clubId}/event`, usable: '.cards a', running: null, token: null },
    {
      name: 'event',
      path: `/club/${event.clubId}/event/${event.id}`,
      usable: '#registration-form [name=name]',
      running: 'input[type=hidden][name=phone]',
      token: null,
    },
    { name: 'ticket', path: `/qr/${id}/${qrUuid}`, usable: '.ticket svg', running: null, token: null },
    { name: 'sign-in', path: '/signin', usable: '[name=password]', running: null, token: null },
    { name: 'dashboard', path: '/dashboard/admin', usable: 'main h1', running: null, token },
    {
      name: 'attendees',
      path: `/event/${event.id}/attendees`,
      usable: 'table tbody tr, [role=row]',
      running: null,
      token,
    },
    { name: 'scanner', path: `/event/${event.id}/scanner/main`, usable: 'main h1, main video', running: null, token },
  ]
  const only = process.argv[2] ?? ''
  console.log(
    row('page', 'cache', 'requests', 'kB', 'script kB', 'first paint', 'largest', 'shift', 'usable', 'script runs'),
  )
  for (const target of targets.filter(({ name }) => name.includes(only))) {
    const runs: Record<'cold' | 'warm', Figures[]> = { cold: [], warm: [] }
    for (let run = 0; run < RUNS; run++) {
      const context = await contextFor(browser, target.token)
      runs.cold.push(await measure(context, target))
      // By now the scanner and the ticket have stored themselves on the phone.
      runs.warm.push(await measure(context, target))
      await context.close()
    }
    for (const [cache, figures] of Object.entries(runs)) print(target, cache, figures)
  }
  if (only === '' || only === 'use') {
    const url = `${served.url}/club/${event.clubId}/event/${event.id}`
    await measureForm(browser, url, slowDown, RUNS)
    await measureAnswer(browser, url, slowDown, RUNS)
    for (let n = 0; n < 240; n++) await callAt(served.url, registrationApi.initRegistration, registrationFor(event))
    await measureScanner(await contextFor(browser, token), served.url, event, RUNS)
  }
} finally {
  await browser.close()
  await served.stop()
}

async function contextFor(from: Browser, token: string | null): Promise<BrowserContext> {
  const context = await from.newContext({ viewport: { width: 390, height: 844 } })
  if (token !== null) {
    const page = await context.newPage()
    await page.goto(`${served.url}/favicon.svg`)
    await page.evaluate((text) => localStorage.setItem('token', text), token)
    await page.goto(`${served.url}/dashboard`)
    await page.locator('h1').waitFor()
    const session = await page.evaluate(() => localStorage.getItem('currentUser') ?? '')
    await context.clearCookies()
    await page.close()
    // A fresh profile, so that its cache has nothing from this sign-in.
    await context.close()
    const fresh = await from.newContext({ viewport: { width: 390, height: 844 } })
    await fresh.addInitScript(
      ([text, user]) => {
        localStorage.setItem('token', text)
        localStorage.setItem('currentUser', user)
      },
      [token, session] as const,
    )
    return fresh
  }
  return context
}

async function measure(context: BrowserContext, { path, usable, running }: Target): Promise<Figures> {
  const page = await context.newPage()
  const sent = watch(await slowDown(page))
  await page.addInitScript({ content: observing(usable, running) })
  await page.goto(served.url + path)
  await page.locator(usable).first().waitFor({ state: 'attached' })
  if (running !== null) await page.locator(running).waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  const figures = await page.evaluate((): { usable: number; running: number; largest: number; shift: number } =>
    Reflect.get(window, 'seen'),
  )
  const firstPaint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  )
  await page.close()
  return {
    requests: sent.requests,
    kB: sent.bytes / 1000,
    scriptKB: sent.scriptBytes / 1000,
    firstPaint,
    largestPaint: figures.largest,
    shift: figures.shift,
    // An element that exists before the first paint is usable only from then on.
    usable: Math.max(figures.usable, firstPaint),
    running: figures.running,
  }
}

/** Makes a page as slow as a phone; returns its session of the browser's tools. */
async function slowDown(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE })
  return session
}

/** The script that records when the awaited elements appear. As text, because the compiler's helper functions do not exist in the page. */
function observing(usable: string, running: string | null): string {
  return `
    const seen = (window.seen = { usable: 0, running: 0, largest: 0, shift: 0 })
    const look = () => {
      if (seen.usable === 0 && document.querySelector(${JSON.stringify(usable)})) seen.usable = performance.now()
      const taken = ${JSON.stringify(running)}
      if (taken && seen.running === 0 && document.querySelector(taken)) seen.running = performance.now()
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true })
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) seen.largest = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) seen.shift += value
    }).observe({ type: 'layout-shift', buffered: true })
  `
}

/** Counts the requests and bytes over the network. */
function watch(session: CDPSession) {
  const sent = { requests: 0, bytes: 0, scriptBytes: 0 }
  const kinds = new Map<string, string>()
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    const isLocal = response.fromDiskCache || response.fromServiceWorker || /^(data|blob):/.test(response.url)
    if (!isLocal) kinds.set(requestId, type)
  })
  session.on('Network.requestServedFromCache', ({ requestId }) => kinds.delete(requestId))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)
    if (kind === undefined || encodedDataLength === 0) return
    sent.requests++
    sent.bytes += encodedDataLength
    if (kind === 'Script') sent.scriptBytes += encodedDataLength
  })
  return sent
}

function print({ name, running }: Target, cache: string, runs: readonly Figures[]): void {
  const of = (key: keyof Figures) => median(runs.map((run) => run[key]))
  const ms = (key: keyof Figures) => `${Math.round(of(key))} ms`
  console.log(
    row(
      name,
      cache,
      String(of('requests')),
      of('kB').toFixed(1),
      of('scriptKB').toFixed(1),
      ms('firstPaint'),
      ms('largestPaint'),
      of('shift').toFixed(3),
      ms('usable'),
      running === null ? '–' : ms('running'),
    ),
  )
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.padEnd(10)).join(' | ')} |`
}
