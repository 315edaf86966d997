import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Event } from '../../src/contract/event.ts'
import { median } from './median.ts'

// How soon pages can be used, not only seen: what somebody types and taps as soon as the event's form is there, how soon the page answers
// once its scripts have run, and the scanner from the phone's own cache.

/** Makes a page as slow as a phone on slow 4G. */
export type Slow = (page: Page) => Promise<unknown>

/** The script that notes when things happen. As text, because the compiler's helper functions do not exist in the page. */
const NOTES = `
  const seen = (window.seen = {})
  const note = (what) => { seen[what] ??= performance.now() }
  addEventListener('keydown', ({ timeStamp }) => { seen.key ??= timeStamp }, true)
  addEventListener('click', ({ timeStamp }) => { seen.click ??= timeStamp }, true)
  addEventListener('input', () => note('input'), true)
  const look = () => {
    const field = document.querySelector('#registration-form [name=name]')
    if (field && seen.field === undefined) {
      note('field')
      // At once, since Playwright takes a while to see the field and to focus it on a slow page.
      field.focus()
      window.fieldIsThere?.()
    }
    if (document.querySelector('input[type=hidden][name=phone]')) note('hydrated')
    if (document.querySelector('[role=alert]')) note('alert')
    if (/ of \\d+ in/.test(document.body?.textContent ?? '')) note('list')
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true, characterData: true })
`

type Seen = Partial<Record<'field' | 'key' | 'click' | 'input' | 'hydrated' | 'alert' | 'list', number>>
const seenOn = (page: Page) => page.evaluate((): Seen => Reflect.get(window, 'seen'))

async function openNoting(context: BrowserContext, slow: Slow | null): Promise<Page> {
  const page = await context.newPage()
  await slow?.(page)
  await page.addInitScript({ content: NOTES })
  return page
}

/** Prints how soon the event's form takes what is typed, and how long the ticket takes once Register is pressed, before any script may have run. */
export async function measureForm(browser: Browser, url: string, slow: Slow, runs: number): Promise<void> {
  const figures = { cold: [] as number[][], warm: [] as number[][] }
  for (let run = 0; run < runs; run++) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    figures.cold.push(await register(await openNoting(context, slow), url, `cold${run}`))
    figures.warm.push(await register(await openNoting(context, slow), url, `warm${run}`))
    await context.close()
  }
  console.log('\nThe event page, used as soon as its form is there:')
  for (const [cache, each] of Object.entries(figures)) {
    const [input, hydrated, ticket] = [0, 1, 2].map((n) => median(each.map((figure) => figure[n] ?? 0)).toFixed(0))
    const running =
      hydrated === 'Infinity' ? 'do not run yet when it is filled in' : `run ${hydrated} ms after the first key`
    console.log(
      `${cache}: the first field takes input after ${input} ms, scripts ${running}, the ticket is there ${ticket} ms after Register`,
    )
  }
}

async function register(page: Page, url: string, name: string): Promise<number[]> {
  const field = page.locator('#registration-form [name=name]')
  let tell = () => {}
  const isThere = new Promise<void>((resolve) => {
    tell = resolve
  })
  await page.exposeFunction('fieldIsThere', () => tell())
  const opened = page.goto(url, { waitUntil: 'commit' })
  await isThere
  await page.keyboard.type('Nina')
  await opened
  const { input = 0, key = 0 } = await seenOn(page)
  await page.getByLabel('E-mail', { exact: true }).fill(`${name}@example.org`)
  await page.getByLabel('Phone', { exact: true }).fill('+49301234567')
  const value = await field.inputValue()
  if (value !== 'Nina') throw new Error(`The field holds ${value}.`)
  const { hydrated = Number.POSITIVE_INFINITY } = await seenOn(page)
  const start = performance.now()
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  const ticket = performance.now() - start
  await page.close()
  return [input, Math.max(0, hydrated - key), ticket]
}

/** Prints how soon the event page answers to the first tap once its scripts have run, which is when the browser was idle. */
export async function measureAnswer(browser: Browser, url: string, slow: Slow, runs: number): Promise<void> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    const page = await openNoting(context, slow)
    await page.goto(url)
    await page.locator('input[type=hidden][name=phone]').waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByRole('alert').first().waitFor()
    const { click = 0, alert = 0 } = await seenOn(page)
    times.push(alert - click)
    await context.close()
  }
  console.log(
    `\nThe event page once scripts have run: an empty form is answered ${Math.round(median(times))} ms after Register`,
  )
}

/** Prints how soon the scanner is there from the phone's own cache, without network and with the CPU at its own speed. */
export async function measureScanner(
  context: BrowserContext,
  origin: string,
  { id }: Event,
  runs: number,
): Promise<void> {
  const page = await openNoting(context, null)
  const url = `${origin}/event/${id}/scanner/main`
  await page.goto(url)
  await page.getByText('Works offline').waitFor({ timeout: 60_000 })
  await context.setOffline(true)
  const [paints, lists]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    await page.goto(url)
    await page
      .getByText(/ of \d+ in/)
      .first()
      .waitFor()
    paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0))
    lists.push((await seenOn(page)).list ?? 0)
  }
  const [painted, usable] = [paints, lists].map((times) => Math.round(median(times)))
  console.log(
    `\nThe scanner from the phone's cache, without network: painted after ${painted} ms, with its list after ${usable} ms`,
  )
  await context.close()
}
