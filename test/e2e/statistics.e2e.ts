import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkinApi } from '../../src/contract/checkins.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { formApi } from '../../src/contract/forms.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { formatDate, toLocalInput } from '../../src/contract/values/dates.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { bankKeys } from '../support/bank.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve, until } from '../support/serve.ts'
import { startTestBank, type TestBank } from '../test-bank/test-bank.ts'
import { closePages, expectAccessible, launch, listenForErrors, openPage, signIn, sizes } from './browser.ts'

const ADMIN = { email: 'ana@example.org', password: 'correct horse 1' }
let bank: TestBank
let served: Served
let browser: Browser
let token = ''
/** Three paid 25.00 each, one of them got 10.00 back and is in; a fourth has not paid. */
let paid: Event
let empty: Event

beforeAll(async () => {
  bank = await startTestBank({ ...bankKeys, webhookUrl: 'http://127.0.0.1:3997/api/stripe/webhook' })
  const env = {
    ...OPERATOR,
    LIMITS: 'off',
    STRIPE_SECRET_KEY: bankKeys.secretKey,
    STRIPE_WEBHOOK_SECRET: bankKeys.webhookSecret,
    STRIPE_API_BASE: bank.url,
  }
  served = await serve({ port: 3997, env })
  const made = await makeEventAt(served.url)
  token = made.token
  const save = async (fields: object) => (await callAt(served.url, eventApi.save, fields, token)).payload
  paid = await save({ id: made.event.id, ticketPrice: 2500, maxAttendees: 10 })
  empty = await save({ name: 'Quiet', startsAt: paid.startsAt, endsAt: paid.endsAt, status: 'published' })
  const register = async () =>
    (await callAt(served.url, registrationApi.initRegistration, registrationFor(paid))).payload.savedRegistration
  const [first] = [await register(), await register(), await register()]
  for (const { id } of bank.sessions()) await bank.pay(id)
  await register()
  const refund = { registrationId: first.id, eventId: paid.id, amount: 1000 }
  await callAt(served.url, paymentApi.refund, { payload: refund }, token)
  const scan = { qrCodeData: ticketUrl(served.url, first), eventId: paid.id, scanId: crypto.randomUUID() }
  await callAt(served.url, checkinApi.scanByRegistrationId, { payload: scan }, token)
  browser = await launch()
})
// A page that stays open would continue to send requests.
afterEach(({ task }) => closePages(browser, task))
afterAll(async () => {
  await browser.close()
  await bank.stop()
  await served.stop()
})

async function open(event: Event, viewport?: { width: number; height: number }): Promise<Page> {
  const page = await openPage(browser, viewport)
  await signIn(page, served, ADMIN)
  await page.goto(`${served.url}/event/${event.id}/statistics`)
  return page
}

/** Opens the table of a chart by keyboard; returns the texts of its cells, row by row. */
async function readTable(page: Page, chart: string): Promise<string[][]> {
  const region = page.getByRole('region', { name: chart, exact: true })
  await region.getByRole('slider').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const table = region.getByRole('table')
  await table.waitFor()
  expect(await table.locator('caption').textContent()).not.toBe('')
  return table.evaluate((element) =>
    [...element.querySelectorAll('tr')].map((row) => [...row.cells].map(({ textContent }) => textContent ?? '')),
  )
}

describe.each(sizes)('on a $device', ({ viewport }) => {
  test('the figures are said in words, and each chart has a table with the same ones', async () => {
    const page = await open(paid, viewport)
    const wrong = listenForErrors(page)
    await page.getByText('4 of 10 places taken').waitFor()
    await page.getByText('1 of 3 arrived (33%)').waitFor()
    await page.getByText('€65.00 net income').waitFor()
    await page.getByText('Not paid yet').locator('..').getByText('1 person').waitFor()
    const today = formatDate(new Date(), paid.timeZone)
    expect(await readTable(page, 'Registrations')).toEqual([
      ['Day', 'New', 'Total'],
      [today, '4', '4'],
    ])
    expect(await readTable(page, 'Income')).toEqual([
      ['Day', 'Paid', 'Refunded', 'Net'],
      [today, '€75.00', '€10.00', '€65.00'],
      ['Total', '€75.00', '€10.00', '€65.00'],
    ])
    const arrivals = await readTable(page, `Arrivals on ${today}`)
    expect(arrivals.at(-1)).toEqual(['The day', '1', '1', '33%'])
    expect(arrivals).toHaveLength(3)
    await expectAccessible(page)
    expect(wrong).toEqual([])
  })
})

test('the answers to questions with options are counted', async () => {
  const { id: eventId, clubId } = (
    await callAt(
      served.url,
      eventApi.save,
      { name: 'Supper', startsAt: paid.startsAt, endsAt: paid.endsAt, status: 'published' },
      token,
    )
  ).payload
  const ask = { typeId: 2, text: 'What will you eat?', required: true, options: ['Fish', 'Vegetables', 'Both'] }
  const [question] = (
    await callAt(served.url, formApi.save, { payload: { eventId, formQuestions: [ask], rmQIds: [] } }, token)
  ).payload
  for (const answer of ['Vegetables', 'Vegetables', 'Fish']) {
    const others = [{ qId: question?.id ?? 0, answer }]
    await callAt(served.url, registrationApi.initRegistration, registrationFor({ id: eventId, clubId }, { others }))
  }
  const page = await openPage(browser)
  await signIn(page, served, ADMIN)
  const pattern = `**${statisticsApi.getAnswerCounts.path}*`
  await page.route(pattern, (route) => route.fulfill({ status: 503, body: '' }))
  await page.goto(`${served.url}/event/${eventId}/statistics`)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute(pattern)
  await again.click()
  const table = page.getByRole('table', { name: 'What will you eat?' })
  await table.waitFor()
  expect(await table.locator('tbody tr').allTextContents()).toEqual(['Fish133%', 'Vegetables267%', 'Both00%'])
  await page.getByText('3 people answered.').waitFor()
  await expectAccessible(page)
})

test('the arrow keys and the mouse show a chart’s values', async () => {
  const page = await open(paid)
  const region = page.getByRole('region', { name: 'Registrations', exact: true })
  const slider = region.getByRole('slider')
  const today = formatDate(new Date(), paid.timeZone)
  expect(await slider.getAttribute('aria-valuetext')).toMatch(`${today}: 4 new, 4 in all`)
  const values = region.getByText('4 new, 4 in all')
  expect(await values.count()).toBe(0)
  await slider.focus()
  await values.waitFor()
  await page.keyboard.press('ArrowLeft')
  await region.getByText('0 in all').waitFor()
  expect(await slider.getAttribute('aria-valuetext')).toContain('0 in all')
  await slider.blur()
  await region.getByText('0 in all').waitFor({ state: 'detached' })
  const { x, y, width } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  await page.mouse.move(x + width - 5, y + 50)
  await values.waitFor()
  await page.mouse.move(x + width - 5, y - 200)
  await values.waitFor({ state: 'detached' })
  await region.getByText('By day', { exact: true }).click()
  await slider.focus()
  await region.getByText('4 registrations').waitFor()
})

test('a touch shows a chart’s values until something else is touched', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  await signIn(page, served, ADMIN)
  await page.goto(`${served.url}/event/${paid.id}/statistics`)
  const region = page.getByRole('region', { name: 'Registrations', exact: true })
  const slider = region.getByRole('slider')
  await slider.waitFor()
  const { x, y, width } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  await page.touchscreen.tap(x + width - 5, y + 50)
  await region.getByText('4 new, 4 in all').waitFor()
  await page.touchscreen.tap(x + 70, y + 50)
  await region.getByText('0 in all').waitFor()
  await page.getByRole('heading', { name: 'Statistics' }).tap()
  await region.getByText('0 in all').waitFor({ state: 'detached' })
})

test('a day is typed as dd/mm/yyyy, and its figures stand beside it', async () => {
  const page = await open(paid)
  const day = page.getByRole('textbox', { name: 'Day' })
  const own = page.getByRole('region', { name: 'A single day' })
  await own.getByText('4 registered', { exact: true }).waitFor()
  await own.getByText('1 came in', { exact: true }).waitFor()
  await own.getByText('€75.00 paid').waitFor()
  await own.getByText('€10.00 refunded').waitFor()
  await day.fill('20/06/2030')
  await own.getByText('0 registered', { exact: true }).waitFor()
  await own.getByText('Nobody was checked in on this day.').waitFor()
  await own.getByText('Thursday').waitFor()
  expect(new URL(page.url()).searchParams.get('day')).toBe('2030-06-20')
  await own.getByRole('button', { name: 'The day after' }).click()
  expect(await day.inputValue()).toBe('21/06/2030')
  // What is no day is said, and the figures stay.
  await day.fill('31/02/2030')
  await day.blur()
  await own.getByText('Type a day as dd/mm/yyyy').waitFor()
  await own.getByText('0 registered', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('day')).toBe('2030-06-21')
  await expectAccessible(page)
  await own.getByRole('button', { name: 'Today' }).click()
  await own.getByText('4 registered', { exact: true }).waitFor()
  await own.getByText('Type a day as dd/mm/yyyy').waitFor({ state: 'detached' })
  // Also from the calendar, which returns the focus.
  await own.getByRole('button', { name: 'Choose the day: Day' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^1 / }).first().click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await day.inputValue()).toBe(
    `01/${toLocalInput(new Date(), paid.timeZone).slice(5, 7)}/${new Date().getFullYear()}`,
  )
  await page.reload()
  expect(await day.inputValue()).toMatch(/^01\//)
})

test('a chart takes the room there is, also when the window changes', async () => {
  const page = await open(paid)
  const region = page.getByRole('region', { name: 'Registrations', exact: true })
  const chart = region.locator('svg').filter({ has: page.locator('path') })
  await chart.waitFor()
  const room = async () => (await region.getByRole('slider').boundingBox())?.width
  expect((await chart.boundingBox())?.width).toBe(await room())
  await page.setViewportSize({ width: 390, height: 844 })
  await until(async () => (await chart.boundingBox())?.width === (await room()), 10_000, 'the chart fits again')
  expect(await room()).toBeLessThan(360)
})

test('nothing moves when the figures arrive', async () => {
  const page = await openPage(browser)
  await signIn(page, served, ADMIN)
  const held: Route[] = []
  await page.route(`**${statisticsApi.getStatistics.path}*`, (route) => void held.push(route))
  await page.goto(`${served.url}/event/${paid.id}/statistics`)
  const own = page.getByRole('region', { name: 'A single day' })
  await own.waitFor()
  const before = await own.boundingBox()
  expect(await page.getByText('places taken').count()).toBeGreaterThan(0)
  expect(await page.getByText('places taken').first().isVisible()).toBe(false)
  for (const route of held) await route.continue()
  await page.getByText('4 of 10 places taken').waitFor()
  expect((await own.boundingBox())?.y).toBe(before?.y)
})

test('an event without registrations says what to do next', async () => {
  const page = await open(empty)
  await page.getByRole('heading', { name: 'Nobody has registered yet' }).waitFor()
  expect(await page.getByText('income', { exact: true }).count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Share the event' }).click()
  await page.waitForURL(`${served.url}/event/${empty.id}`)
})

test('figures that could not be read are read again on request', async () => {
  const page = await openPage(browser)
  await signIn(page, served, ADMIN)
  // The figures are also read every few seconds: those readings fail until the button is pressed.
  let isPressed = false
  await page.exposeFunction('notePress', () => {
    isPressed = true
  })
  await page.route(`**${statisticsApi.getStatistics.path}*`, (route) =>
    isPressed ? route.continue() : route.fulfill({ status: 500, json: { code: 'INTERNAL', msg: 'Not now.' } }),
  )
  await page.goto(`${served.url}/event/${paid.id}/statistics`)
  const alert = page.getByRole('alert').filter({ hasText: 'This part could not be loaded.' })
  await alert.waitFor()
  await expectAccessible(page)
  const button = alert.getByRole('button', { name: 'Try again' })
  await button.evaluate((element) => element.addEventListener('pointerdown', () => Reflect.get(window, 'notePress')()))
  await button.click()
  await page.getByText('4 of 10 places taken').waitFor()
})
