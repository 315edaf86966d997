import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extrasApi } from '../../src/contract/extras.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { shortCode, voucherUrl } from '../../src/contract/values/ticket-codes.ts'
import { makeCameraFilm } from '../support/camera-film.ts'
import { registrationFor } from '../support/make.ts'
import { callAt } from '../support/remote.ts'
import { until } from '../support/serve.ts'
import { expectAccessible, launch, signIn } from './browser.ts'
import {
  beep,
  type DoorFixture,
  expectVerdict,
  nextPlease,
  openPhone,
  openScanner,
  PHONE,
  prepare,
  startDoorFixture,
} from './door-set-up.ts'
import { shiftsOf, watchShifts } from './layout-shift.ts'

let fixture: DoorFixture
beforeAll(async () => {
  fixture = await startDoorFixture(3990)
})
afterAll(() => fixture.served.stop())

const ANA = { email: 'ana@example.org', password: 'correct horse 1' }
const isIn = async (name: string) => {
  const row = (await fixture.attendees()).find(({ registration }) => registration.registrationData.name === name)
  return row?.checkin?.status === true
}

async function withBrowser(film: string | undefined, work: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await launch(film)
  try {
    await work(browser)
  } finally {
    await browser.close()
  }
}

/** A phone without service worker, so that a test can intercept all its requests; the door is not open yet. */
async function bareContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: PHONE,
    permissions: ['camera'],
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  await prepare(context)
  return context
}

const doorUrl = (variant = 'main') => `${fixture.served.url}/event/${fixture.event.id}/scanner/${variant}`

test('nothing jumps while the scanner loads on a phone', async () => {
  await withBrowser(undefined, async (browser) => {
    const context = await bareContext(browser)
    const page = await context.newPage()
    await signIn(page, fixture.served, ANA)
    await watchShifts(context)
    await page.goto(doorUrl(), { waitUntil: 'networkidle' })
    await page.getByText('Up to date').waitFor()
    const { score, moved } = await shiftsOf(page)
    expect(score, moved.join('\n')).toBeLessThan(0.02)
    expect(await page.locator('.topbar').isVisible()).toBe(false)
  })
})

test('after a dead spot everything is sent within seconds, although requests made in it are never answered', async () => {
  const [during, after] = [await fixture.guest('Dieter Deadspot'), await fixture.guest('Anke After')]
  await withBrowser(undefined, async (browser) => {
    const page = await openPhone(browser, fixture)
    const held: Route[] = []
    const hold = (route: Route) => void held.push(route)
    await page.route('**/api/**', hold)
    await page.getByText('No network').waitFor()
    await beep(page, fixture.codeOf(during))
    await expectVerdict(page, 'in', 'Dieter Deadspot')
    await page.getByText('1 to send').waitFor()
    const askedBefore = held.length
    await until(async () => held.length > askedBefore, 30_000, 'it asks again beside what is not answered')

    // The network is back without an `online` event, and none of the earlier requests is ever answered.
    await page.unroute('**/api/**', hold)
    const back = Date.now()
    await page.getByText('All sent').waitFor()
    await page.getByText('Up to date').waitFor()
    // Generous for a busy machine; dead-spot.test.ts checks the limit of two seconds.
    expect(Date.now() - back).toBeLessThan(12_000)
    expect(await isIn('Dieter Deadspot')).toBe(true)

    // The same with an `online` event, and a scan that was being sent when the network failed.
    await page.route('**/api/**', hold)
    await beep(page, shortCode(after))
    await expectVerdict(page, 'in', 'Anke After')
    await page.getByText('No network').waitFor()
    await page.unroute('**/api/**', hold)
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await page.getByText('All sent').waitFor()
    await page.getByText('Online').waitFor()
    expect(await isIn('Anke After')).toBe(true)

    // Opened again without network: it says that it works, and shows no link that does not.
    await page.context().setOffline(true)
    await page.reload()
    await page.getByText('No network').waitFor()
    await page.getByText('Works offline').waitFor()
    expect(await page.getByText('Keep this page open').count()).toBe(0)
    expect(await page.locator('.topbar a:visible').count()).toBe(0)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await page.getByRole('dialog').getByRole('link').allTextContents()).toEqual(['Sign out'])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectAccessible(page)
  })
})

test('a decoder that fails to load, or dies, is reported and restarted', async () => {
  const guest = await fixture.guest('Wim Decoder')
  await withBrowser(makeCameraFilm(fixture.codeOf(guest)), async (browser) => {
    const context = await bareContext(browser)
    // The first worker that is sent a picture never receives any messages.
    await context.addInitScript(() => {
      const Right = Worker
      let deaf: Worker | null = null
      window.Worker = class extends Right {
        override postMessage(message: unknown, transfer?: Transferable[] | StructuredSerializeOptions): void {
          deaf ??= this
          if (deaf !== this) super.postMessage(message, Array.isArray(transfer) ? { transfer } : transfer)
        }
      }
    })
    const page = await context.newPage()
    await signIn(page, fixture.served, ANA)
    let isCut = true
    await context.route('**/zxing_reader-*.wasm', (route) => (isCut ? route.abort() : route.continue()))
    await page.goto(doorUrl())
    await page.getByText('The code reader could not be loaded').waitFor()
    await expectAccessible(page)
    expect(await isIn('Wim Decoder')).toBe(false)
    isCut = false
    await expectVerdict(page, 'in', 'Wim Decoder')
    await page.getByText('The code reader could not be loaded').waitFor({ state: 'detached' })
  })
})

test('typing is not interrupted by a code before the camera, and gets the focus back after each verdict', async () => {
  const [seen, other] = [await fixture.guest('Konrad Kamera'), await fixture.guest('Fiona Focus')]
  await withBrowser(makeCameraFilm(fixture.codeOf(seen)), async (browser) => {
    const page = await openPhone(browser, fixture)
    const field = page.getByLabel('Name or code')
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id)
    await expectVerdict(page, 'in', 'Konrad Kamera')
    await nextPlease(page)
    // A recently seen code is ignored; after a reload it counts as new.
    await page.context().route('**/api/checkin/syncScans', (route) => route.abort())
    await page.reload()
    await field.focus()
    const name = 'Maximiliane von und zu Fürstenberg-Hohenlohe'
    await page.keyboard.type(name, { delay: 40 })
    expect(await field.inputValue()).toBe(name)
    await page.getByText('The camera waits while you type.').waitFor()
    await expectAccessible(page)
    await page.getByText('Nobody of this name has a ticket.').waitFor()
    await page.getByRole('button', { name: 'Back to scanning' }).click()
    await expectVerdict(page, 'already', 'Konrad Kamera')
    await nextPlease(page)
    await page.context().unroute('**/api/checkin/syncScans')

    // A scanner's code typed after a name is taken as the code, and the name stays.
    await field.fill('fion')
    await page.getByText('1 person found.').waitFor()
    await field.focus()
    await page.keyboard.type(`${fixture.codeOf(other)}\n`)
    await expectVerdict(page, 'in', 'Fiona Focus')
    expect(await field.inputValue()).toBe('fion')
    const id = await field.getAttribute('id')
    await nextPlease(page)
    await until(async () => (await focused()) === id, 30_000, 'the field has the focus after the first')
    // Emptied to type something else, so the camera waits again for as long as after the focus.
    await field.blur()
    await field.focus()
    const begun = await page.evaluate(() => performance.now())
    const waitsAt = (ms: number) =>
      page.waitForFunction(
        (at) => performance.now() > at && { isWaiting: /The camera waits/.test(document.body.innerText) },
        begun + ms,
      )
    await waitsAt(4_000)
    await field.fill('x')
    await field.fill('')
    expect(await (await waitsAt(5_500)).jsonValue()).toEqual({ isWaiting: true })
    await page.keyboard.type(`${shortCode(other)}\n`)
    await expectVerdict(page, 'already', 'Fiona Focus')
    await until(async () => (await focused()) === id, 30_000, 'the field has the focus again')
    expect(await field.inputValue()).toBe('')
  })
})

test('a voucher whose answer was cut is redeemed once; without any storage the door works with network', async () => {
  const drinks = { eventId: fixture.event.id, name: 'Drinks', description: '', price: 0, maxQuantity: null }
  const content = [{ name: 'Drink', quantity: 3 }]
  const { id: extrasId } = (
    await callAt(fixture.served.url, extrasApi.saveExtras, { payload: { ...drinks, content } }, fixture.token)
  ).payload
  const request = { ...registrationFor(fixture.event, { name: 'Vera Voucher' }), extrasIds: [extrasId] }
  const vera = (await callAt(fixture.served.url, registrationApi.initRegistration, request)).payload.savedRegistration
  const voucherOf = async () => {
    const input = { registrationId: vera.id, qrUuid: vera.qrUuid }
    const [voucher] = (await callAt(fixture.served.url, ticketApi.getRegistration, input)).payload.extras
    if (!voucher) throw new Error('There is no voucher.')
    return voucher
  }
  const nino = await fixture.guest('Nino Nostorage')
  await withBrowser(undefined, async (browser) => {
    const context = await bareContext(browser)
    await context.addInitScript(() => {
      Reflect.deleteProperty(window, 'indexedDB')
      const write = Storage.prototype.setItem
      Storage.prototype.setItem = function (key, value) {
        if (key === 'doorDevice' || key === 'lastDoor') throw new DOMException('Full.', 'QuotaExceededError')
        write.call(this, key, value)
      }
    })
    const page = await context.newPage()
    await signIn(page, fixture.served, ANA)
    await page.goto(doorUrl())
    await page.getByText('This browser keeps nothing on the phone').waitFor()
    await page.getByText('Up to date').waitFor()
    await beep(page, fixture.codeOf(nino))
    await expectVerdict(page, 'in', 'Nino Nostorage')
    expect(await isIn('Nino Nostorage')).toBe(true)
    await nextPlease(page)
    await page.getByRole('button', { name: 'Take back Nino Nostorage' }).click()
    await until(async () => !(await isIn('Nino Nostorage')), 30_000, 'it is taken back')

    // The server redeems it, but the answer is cut off. Nothing can be stored here, so the page sends the same scan again.
    await page.goto(doorUrl('voucher'))
    await page.getByText('Up to date').waitFor()
    let cuts = 0
    await page.route('**/api/checkin/syncScans', async (route) => {
      const answer = await route.fetch()
      if (++cuts > 2) return route.fulfill({ response: answer })
      const body = await answer.text()
      await route.fulfill({ response: answer, body: body.slice(0, body.length / 2) })
    })
    await beep(page, voucherUrl(fixture.served.url, await voucherOf()))
    await page.getByRole('button', { name: '1 × Drink, 3 of 3 left' }).click()
    await expectVerdict(page, 'in', '1 × Drink of Drinks. Left: 2 × Drink.')
    expect(cuts).toBe(3)
    expect((await voucherOf()).content).toMatchObject([{ redeemed: 1 }])

    // Access is revoked: nothing of the list stays visible.
    await page.route('**/api/checkin/getDoorList**', (route) =>
      route.fulfill({ status: 404, json: { code: 'NOT_FOUND', msg: 'We could not find that.' } }),
    )
    await page.getByText('This door is closed').waitFor()
  })
})

test('scans that the server refuses are listed by name, sent again or dismissed; a form that fails to load leaves the scanner working', async () => {
  const [again, done] = [await fixture.guest('Agathe Again'), await fixture.guest('Dennis Done')]
  await withBrowser(undefined, async (browser) => {
    const page = await openPhone(browser, fixture)
    await page.context().setOffline(true)
    for (const guest of [again, done]) {
      await beep(page, fixture.codeOf(guest))
      await expectVerdict(page, 'in', guest.registrationData.name)
      await nextPlease(page)
    }
    const refuse = async (route: Route) => {
      const { payload } = route.request().postDataJSON()
      const answers = payload.scans.map(({ scanId }: { scanId: string }) => ({
        ...{ scanId, code: 'INVALID_QR', msg: 'This is not a Turnout code.' },
        ...{ registrationId: null, name: null, checkin: null, extrasPurchase: null },
      }))
      await route.fulfill({ json: { payload: { answers } } })
    }
    await page.route('**/api/checkin/syncScans', refuse)
    await page.context().setOffline(false)
    await page.getByText('2 scans of this phone could not be sent.').waitFor()
    expect(await queueOf(page)).not.toContain(again.qrUuid)
    await page.reload()
    await page.getByRole('button', { name: 'See which' }).click()
    await page.getByRole('dialog').getByText('Dennis Done').waitFor()
    await expectAccessible(page)
    await page.unroute('**/api/checkin/syncScans', refuse)
    await page.getByRole('button', { name: 'Try again: Agathe Again' }).click()
    await until(() => isIn('Agathe Again'), 30_000, 'it was sent')
    await page.getByRole('button', { name: 'Done: Dennis Done' }).click()
    await page.getByText('There are none any more.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByText('could not be sent').waitFor({ state: 'detached' })
    expect(await isIn('Dennis Done')).toBe(false)
    expect(await queueOf(page)).toBe('[]')

    // If the user has touched one of our pages before, sound works from the first scan.
    await page.getByText('Tap once for sound').waitFor({ state: 'hidden' })
    await page.route('**/api/form/getFormQuestions**', (route) => route.abort())
    // Without the form that this phone may have stored before.
    await page.addInitScript(() => void indexedDB.deleteDatabase('turnout-walk-ins'))
    await openScanner(page, fixture)
    await page.getByRole('button', { name: 'Add somebody' }).click()
    await page.getByText('The form could not be loaded.').waitFor()
    await page.getByRole('button', { name: 'Back to the scanner' }).click()
    await page.getByLabel('Camera', { exact: true }).waitFor()
    expect(await page.getByText('Tap once for sound').isVisible()).toBe(false)
  })
})

/** The queue on the phone's disk, as text. */
function queueOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const open = indexedDB.open('turnout-door')
    await new Promise((resolve) => {
      open.onsuccess = resolve
    })
    const request = open.result.transaction('queue').objectStore('queue').getAll()
    await new Promise((resolve) => {
      request.onsuccess = resolve
    })
    open.result.close()
    return JSON.stringify(request.result)
  })
}
