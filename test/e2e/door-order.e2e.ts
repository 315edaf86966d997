import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { QueuedScan } from '../../src/contract/door.ts'
import { until } from '../support/serve.ts'
import { launch, signIn } from './browser.ts'
import {
  beep,
  type DoorFixture,
  expectVerdict,
  type Noted,
  nextPlease,
  openPhone,
  PHONE,
  prepare,
  startDoorFixture,
} from './door-set-up.ts'

let fixture: DoorFixture
let browser: Browser
beforeAll(async () => {
  fixture = await startDoorFixture(3992)
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await fixture.served.stop()
})

const SYNC = '**/api/checkin/syncScans'
const LIST = '**/api/checkin/getDoorList**'
const isIn = async (name: string) => {
  const row = (await fixture.attendees()).find(({ registration }) => registration.registrationData.name === name)
  return row?.checkin?.status === true
}
const answerWith = (status: number) => (route: Route) =>
  route.fulfill({ status, contentType: 'text/html', body: '<h1>Please sign in to our network</h1>' })

/** The texts of the verdicts shown since the last call, in order. */
const shownSince = (page: Page) => page.evaluate(() => (window as Noted).verdicts?.splice(0).map(({ text }) => text))

test('an answer by a proxy is no answer: valid tickets are admitted, and the queue is sent when the server answers', async () => {
  const guest = await fixture.guest('Petra Portal')
  const page = await openPhone(browser, fixture)
  let proxied = 0
  await page.route(SYNC, (route) => {
    const [{ wasShownIn }] = route.request().postDataJSON().payload.scans
    // The scan is first sent as a question, then as shown to be valid.
    if (!wasShownIn) return answerWith(404)(route)
    proxied++
    return answerWith(413)(route)
  })
  await beep(page, fixture.codeOf(guest))
  await expectVerdict(page, 'in', 'Petra Portal')
  await until(async () => proxied > 1, 30_000, 'it was tried to send it')
  expect(await page.getByText('could not be sent').count()).toBe(0)
  await page.unroute(SYNC)
  await page.getByText('All sent').waitFor()
  expect(await isIn('Petra Portal')).toBe(true)
  await page.context().close()
})

test('a refusal is shown before the next code; a late answer does not replace another verdict', async () => {
  const [valid, next] = [await fixture.guest('Valerie Valid'), await fixture.guest('Nora Next')]
  const page = await openPhone(browser, fixture)
  // From here on the list gets no new tickets.
  let news: string | null = null
  await page.route(LIST, async (route) => {
    news ??= await (await route.fetch()).text()
    await route.fulfill({ contentType: 'application/json', body: news })
  })
  await until(async () => news !== null, 30_000, 'the news that stay are here')
  const unknown = await fixture.guest('Ulla Unknown')
  const held: Route[] = []
  const hold = (route: Route) => void held.push(route)
  await page.route(SYNC, hold)
  await beep(page, fixture.codeOf(unknown))
  await until(async () => held.length === 1, 30_000, 'the server is asked')
  await page.unroute(SYNC, hold)
  await beep(page, fixture.codeOf(valid))
  await expectVerdict(page, 'refused', 'No ticket of this event has this code.')
  await expectVerdict(page, 'in', 'Valerie Valid')
  // Now the server lets the first one in: this appears among the latest scans, but not as a verdict.
  await held[0]?.continue()
  await page.getByRole('button', { name: 'Take back Ulla Unknown' }).waitFor()
  await beep(page, fixture.codeOf(next))
  await until(async () => isIn('Nora Next'), 30_000, 'the next one is in')
  await page.getByRole('button', { name: 'Take back Nora Next' }).waitFor()
  const shown = await shownSince(page)
  expect(shown?.filter((text) => text.includes('Ulla'))).toEqual([])
  await page.context().close()
})

test('notifications lie above a verdict without covering its text and buttons', async () => {
  const [asked, other] = [await fixture.guest('Anton Asked with a rather long name'), await fixture.guest('Otto Other')]
  const page = await openPhone(browser, fixture)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByText('Confirm', { exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await beep(page, fixture.codeOf(other))
  await page.getByRole('button', { name: 'Let in', exact: true }).click()
  await expectVerdict(page, 'in', 'Otto Other')
  await nextPlease(page)
  // The server refuses to take it back, which causes a notification. A slow phone may send this in one call with the scan itself.
  const refusal = { code: 'ILLEGAL_TRANSITION', msg: '', registrationId: null, name: 'Otto Other' }
  await page.route(SYNC, async (route) => {
    const { payload, ...rest } = route.request().postDataJSON()
    const undo = payload.scans.find(({ act }: QueuedScan) => act.kind === 'undo')
    if (!undo) return route.continue()
    const answers = [{ ...refusal, scanId: undo.scanId, checkin: null, extrasPurchase: null }]
    const scans = payload.scans.filter((scan: QueuedScan) => scan !== undo)
    if (scans.length > 0) {
      const response = await route.fetch({ postData: { ...rest, payload: { ...payload, scans } } })
      answers.unshift(...(await response.json()).payload.answers)
    }
    await route.fulfill({ json: { payload: { answers } } })
  })
  await page.getByRole('button', { name: 'Take back Otto Other' }).click()
  await page.locator('.notice').waitFor()
  await beep(page, fixture.codeOf(asked))
  await page.locator('[data-verdict=ask]').waitFor()
  await page.locator('.notice').hover()
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE })
  const box = async (selector: string) => {
    const found = await page.locator(selector).boundingBox()
    if (!found) throw new Error(`${selector} is not to be seen.`)
    return found
  }
  const notices = await box('.notices')
  expect(notices.y).toBeLessThan(100)
  for (const covered of ['strong', 'p', 'button'])
    expect((await box(`[data-verdict] ${covered} >> nth=0`)).y, covered).toBeGreaterThanOrEqual(
      notices.y + notices.height,
    )
  await page.getByRole('button', { name: 'Let in', exact: true }).click()
  await expectVerdict(page, 'in', 'Anton Asked')
  await page.context().close()
})

test('opened on a weak network, the door is kept on the phone as soon as the network allows it', async () => {
  const context: BrowserContext = await browser.newContext({ viewport: PHONE, permissions: ['camera'] })
  await prepare(context)
  // Notes whether sound was started.
  await context.addInitScript(() => {
    const Right = AudioContext
    Object.assign(window, { sounds: 0 })
    window.AudioContext = class extends Right {
      constructor() {
        super()
        Object.assign(window, { sounds: 1 })
      }
    }
  })
  const page = await context.newPage()
  await signIn(page, fixture.served, { email: 'ana@example.org', password: 'correct horse 1' })
  await context.route('**/offline-files.json*', (route) => route.abort())
  await page.getByRole('heading', { level: 3 }).getByRole('link').first().click()
  await page.getByRole('link', { name: 'Door' }).click()
  await page.getByText('Up to date').waitFor()
  // If the scanner was opened with a tap, sound works from the first scan.
  expect(await page.evaluate(() => Object.getOwnPropertyDescriptor(window, 'sounds')?.value)).toBe(1)
  await page.getByText('Needs network').waitFor()
  await context.unroute('**/offline-files.json*')
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await page.getByText('Works offline').waitFor()
  // Closing a dialog returns the focus to the button that opened it.
  for (const name of ['Settings', 'Add somebody']) {
    const opener = page.getByRole('button', { name })
    await opener.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await until(() => opener.evaluate((button) => button === document.activeElement), 30_000, `${name} has the focus`)
  }
  // When opened again without any answer from the server, the stored version is enough.
  let isAsked = false
  await context.route('**/offline-files.json*', () => {
    isAsked = true
  })
  await page.reload()
  await page.getByText('Works offline').waitFor()
  await until(async () => isAsked, 30_000, 'the latest is asked for')
  await context.close()
})
