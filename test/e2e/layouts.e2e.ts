import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi } from '../../src/contract/forms.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve } from '../support/serve.ts'
import { closePages, launch, signIn, waitUntilLoaded } from './browser.ts'
import { outsideOf } from './outside.ts'

// Languages that do not exist: one is longer than any that we have, the other is written from right to left.

const ANA = { email: 'ana@example.org', password: 'correct horse 1' }
const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1440, height: 900 }
let served: Served
let browser: Browser
let event: Event
let ticket = ''

beforeAll(async () => {
  served = await serve({ port: 3948, env: { ...OPERATOR, LIMITS: 'off' } })
  const { token, ...made } = await makeEventAt(served.url)
  event = made.event
  const eventId = event.id
  const questions = [
    { typeId: 2, text: 'What will you eat?', required: true, options: ['Pasta', 'Risotto'], showAtDoor: true },
    { typeId: 3, text: 'I can help with', required: false, options: ['Setting up', 'The grill'] },
  ]
  await callAt(served.url, formApi.save, { payload: { eventId, formQuestions: questions, rmQIds: [] } }, token)
  const voucher = { name: 'Bar', description: '', price: 0, maxQuantity: 20, content: [{ name: 'Drink', quantity: 2 }] }
  await callAt(served.url, extrasApi.saveExtras, { payload: { eventId, ...voucher } }, token)
  const [startsAt, endsAt] = [new Date('2030-06-22T17:00:00Z'), new Date('2030-06-23T21:00:00Z')]
  await callAt(served.url, eventApi.save, { name: 'Draft', startsAt, endsAt, maxAttendees: 30, status: 'draft' }, token)
  const free = await callAt(
    served.url,
    eventApi.save,
    { name: 'Regatta', startsAt, endsAt, maxAttendees: 30, status: 'published' },
    token,
  )
  const { savedRegistration } = (
    await callAt(served.url, registrationApi.initRegistration, registrationFor(free.payload))
  ).payload
  ticket = `/qr/${savedRegistration.id}/${savedRegistration.qrUuid}`
  browser = await launch()
}, 180_000)
afterEach(({ task }) => closePages(browser, task))
afterAll(async () => {
  await browser.close()
  await served.stop()
})

const visitorPages = () => ['/', '/clubs', '/signin', '/register', `/club/${event.clubId}/event`, pageOf(event), ticket]
const staffPages = () => [
  '/dashboard/admin',
  '/profile',
  '/profile/tokens',
  '/club/edit',
  '/event/add',
  ...['', '/attendees', '/form', '/vouchers', '/statistics', '/edit', '/scanner/main'].map(
    (section) => `/event/${event.id}${section}`,
  ),
]
const pageOf = ({ id, clubId }: Event) => `/club/${clubId}/event/${id}`

async function expectFits(page: Page, path: string): Promise<void> {
  await page.goto(served.url + path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await waitUntilLoaded(page)
  expect([path, await outsideOf(page)]).toEqual([path, []])
}

/** Makes every word of more than three letters 40 % longer, as soon as it is on the page. */
async function lengthen(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const done = new WeakMap<Text, string>()
    const stretch = (node: Text) => {
      if (done.get(node) === node.data || node.parentElement?.closest('script, style, textarea')) return
      const text = node.data.replace(/\p{L}{4,}/gu, (word) => word + 'e'.repeat(Math.ceil(word.length * 0.4)))
      done.set(node, text)
      node.data = text
    }
    const all = (root: Node) => {
      if (root instanceof Text) stretch(root)
      else for (const child of root.childNodes) all(child)
    }
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        if (type === 'characterData') all(target)
        else for (const node of addedNodes) all(node)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
}

/** Has every page say that its language is written from right to left. */
async function mirror(context: BrowserContext): Promise<void> {
  await context.route(
    (url) => !/^\/(assets|api)\//.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.continue()
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace('dir="ltr"', 'dir="rtl"') })
    },
  )
}

test('visitors’ pages hold texts that are 40 % longer, on the smallest phone', async () => {
  const context = await browser.newContext({ viewport: PHONE })
  await lengthen(context)
  const page = await context.newPage()
  for (const path of visitorPages()) await expectFits(page, path)
})

test('staff’s pages and the door do too', async () => {
  const context = await browser.newContext({ viewport: PHONE, permissions: ['camera'] })
  const page = await context.newPage()
  await signIn(page, served, ANA)
  await lengthen(context)
  const next = await context.newPage()
  for (const path of staffPages()) await expectFits(next, path)
})

test('written from right to left, visitors’ pages are mirrored and fit', async () => {
  const context = await browser.newContext({ viewport: PHONE })
  await mirror(context)
  const page = await context.newPage()
  for (const path of visitorPages()) await expectFits(page, path)
  await page.goto(served.url + pageOf(event))
  const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox()) ?? { x: 0, width: 0 }
  // A heading begins at the right, and the tile of the date is to the right of the date.
  const heading = await page.locator('h1').evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return { text: range.getBoundingClientRect().right, box: element.getBoundingClientRect().right }
  })
  expect(heading.text).toBeCloseTo(heading.box, 0)
  const [when, tile] = [await boxOf('time'), await boxOf('li > span[aria-hidden]')]
  expect(tile.x).toBeGreaterThanOrEqual(when.x + when.width)
})

test('and so are staff’s, with the menu at the right', async () => {
  const context = await browser.newContext({ viewport: PHONE, permissions: ['camera'] })
  const page = await context.newPage()
  await signIn(page, served, ANA)
  await mirror(context)
  for (const path of staffPages()) await expectFits(page, path)
  await page.setViewportSize(DESKTOP)
  for (const path of ['/dashboard/admin', `/event/${event.id}/attendees`]) await expectFits(page, path)
  await page.goto(`${served.url}/event/${event.id}`)
  const menu = await page.locator('nav[data-nav="event"]').boundingBox()
  const heading = await page.getByRole('heading', { level: 1 }).boundingBox()
  expect(menu?.x).toBeGreaterThan((heading?.x ?? 0) + (heading?.width ?? 0))
})
