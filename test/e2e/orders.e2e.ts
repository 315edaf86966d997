import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Input } from '../../src/contract/endpoint.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { formApi } from '../../src/contract/forms.ts'
import type { Order } from '../../src/contract/order.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve } from '../support/serve.ts'
import { closePages, expectAccessible, launch, listenForErrors, openPage } from './browser.ts'

const PHONE = { width: 390, height: 844 }
let served: Served
let browser: Browser
let token: string
let order: Order
let pages: string[]

beforeAll(async () => {
  served = await serve({ port: 3968, env: { ...OPERATOR, LIMITS: 'off' } })
  token = (await makeEventAt(served.url)).token
  const event = await addEvent('Summer concert')
  const companion = (name: string) => ({
    registrationData: { name, email: '', phone: '', others: [] },
    extrasIds: [],
  })
  const request = registrationFor(event, { name: 'Ada', email: 'ada@example.org' })
  const companions = [companion('Bea'), companion('Cy')]
  const made = (await callAt(served.url, registrationApi.initRegistration, { ...request, companions })).payload
  if (!made.order || !made.registrations) throw new Error('An order is answered as one.')
  order = made.order
  pages = made.registrations.map(({ id, qrUuid }) => `/qr/${id}/${qrUuid}`)
  browser = await launch()
}, 180_000)
// A page that stays open would continue to send requests.
afterEach(({ task }) => closePages(browser, task))
afterAll(async () => {
  await browser.close()
  await served.stop()
})

async function addEvent(name: string, fields: Partial<Input<typeof eventApi.save>> = {}): Promise<Event> {
  const [startsAt, endsAt] = [new Date('2030-06-21T17:00:00Z'), new Date('2030-06-21T21:00:00Z')]
  const rules = { status: 'published' as const, maxPerEmail: 10, phoneField: 'off' as const }
  const input = { name, startsAt, endsAt, ...rules, ...fields }
  return (await callAt(served.url, eventApi.save, input, token)).payload
}

const addressOf = ({ id, secret }: { id: number; secret: string }) => `${served.url}/order/${id}/${secret}`

test('the contact shows one code after the other, and gives a place back', async () => {
  const page = await openPage(browser, PHONE)
  const errors = listenForErrors(page)
  await page.goto(addressOf(order))
  const codes = page.getByRole('button', { name: /^Ticket code of/ })
  await codes.first().waitFor()
  await expect.poll(() => codes.count()).toBe(1)
  await page.getByText('Bea', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Ticket code of Bea' }).waitFor()
  // The other one is folded away.
  await expect.poll(() => codes.count()).toBe(1)
  await expectAccessible(page)
  expect(await page.getByRole('link', { name: 'Open this ticket' }).nth(0).getAttribute('href')).toBe(pages[1])
  await page.getByRole('link', { name: 'Give to somebody else: ticket of Bea' }).click()
  await page.getByText('Enter who comes in your place.').waitFor()
  await page.goBack()
  await page.getByText('Bea', { exact: true }).first().click()
  await page.getByRole('link', { name: 'Correct the details of Bea' }).click()
  await page.getByLabel('Name').fill('Beatrice')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved').first().waitFor()
  await page.goBack()
  await page.getByText('Beatrice', { exact: true }).first().waitFor()

  await page.getByText('Somebody cannot come?').click()
  expect(await page.getByRole('button', { name: 'Give back' }).isDisabled()).toBe(true)
  await page.getByRole('checkbox', { name: 'Cy' }).check()
  await page.getByRole('button', { name: 'Give one place back' }).click()
  await page.getByRole('button', { name: 'Keep' }).click()
  await page.getByRole('button', { name: 'Give one place back' }).click()
  await page.getByRole('button', { name: 'Yes, give back' }).click()
  await page.getByText('Cancelled', { exact: true }).waitFor()
  await expectAccessible(page)
  await page.reload()
  await page.getByText('Cancelled', { exact: true }).waitFor()
  expect(errors).toEqual([])
})

test('without script all codes are there, and a wrong secret is no ticket', async () => {
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(addressOf(order))
  await page.getByText('Beatrice', { exact: true }).first().click()
  expect(await page.locator('details svg, details img').count()).toBeGreaterThan(1)
  expect(await page.getByRole('link', { name: 'Save all as PDF' }).getAttribute('href')).toContain('getTicketsPdf')
  const wrong = await page.goto(addressOf({ ...order, secret: crypto.randomUUID() }))
  expect(wrong?.status()).toBe(404)
})

describe('the form', () => {
  /** The fields of a companion. */
  const personOf = (page: Page, place: number) => page.getByRole('group', { name: `Person ${place}` })
  const nameOf = (page: Page, place: number) => personOf(page, place).getByLabel('Name')
  const add = (page: Page) => page.getByRole('button', { name: 'Add a person' }).click()

  async function openForm(event: Event): Promise<Page> {
    const page = await openPage(browser, PHONE)
    await page.goto(`${served.url}/club/${event.clubId}/event/${event.id}`)
    await page.getByLabel('Name').fill('Ada')
    await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('ada@example.org')
    return page
  }

  test('registers several people, whose names outlast a mistake and a reload', async () => {
    const event = await addEvent('Family day')
    const [first] = (await callAt(served.url, ticketTypeApi.getTicketTypes, { eventId: event.id })).payload
    const ticketTypes = [{ id: first?.id, name: 'Adult' }, { name: 'Child' }]
    const payload = { eventId: event.id, ticketTypes }
    const types = (await callAt(served.url, ticketTypeApi.saveTicketTypes, { payload }, token)).payload
    const meal = { typeId: 1, text: 'School', required: true, options: [], ticketTypeIds: [types[1]?.id ?? 0] }
    const form = { eventId: event.id, formQuestions: [meal], rmQIds: [] }
    await callAt(served.url, formApi.save, { payload: form }, token)
    const page = await openForm(event)
    const errors = listenForErrors(page)
    await add(page)
    await nameOf(page, 2).waitFor()
    // The new person's first field has the focus.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('person-2-ticket-type')
    await add(page)
    await add(page)
    await nameOf(page, 2).fill('Bea')
    await nameOf(page, 3).fill('Nobody')
    await personOf(page, 2).getByLabel('Ticket').selectOption('Child')
    await personOf(page, 2).getByLabel('School').fill('Hill school')
    await personOf(page, 3).getByLabel('School').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Remove person 3' }).click()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Register 3 people' }).click()
    const summary = page.getByRole('alert')
    await summary.waitFor()
    expect(await summary.getByRole('link').allInnerTexts()).toEqual([expect.stringMatching(/^Person 3: /)])
    await page.reload()
    await nameOf(page, 3).waitFor()
    expect(await nameOf(page, 2).inputValue()).toBe('Bea')
    expect(await personOf(page, 2).getByLabel('School').inputValue()).toBe('Hill school')
    await nameOf(page, 3).fill('Cy')
    await page.getByRole('button', { name: 'Register 3 people' }).click()
    await page.waitForURL('**/order/**')
    await page.getByRole('heading', { name: 'You are all registered' }).waitFor()
    await expectAccessible(page)
    expect(await page.locator('summary strong').allInnerTexts()).toEqual(['Ada', 'Bea', 'Cy'])
    expect(await page.locator('details.voucher .small').allInnerTexts()).toEqual(['Adult', 'Child', 'Adult'])
    // The link in the mail only shows the tickets.
    await page.goto(page.url().replace('?new', ''))
    await page.getByRole('heading', { name: 'Your tickets' }).waitFor()
    // The form is empty again.
    await page.goto(`${served.url}/club/${event.clubId}/event/${event.id}`)
    expect(await page.getByLabel('Name').inputValue()).toBe('')
    expect(errors).toEqual([])
  })

  test('says how many places are left, names whoever is registered already, and keeps what was typed', async () => {
    const event = await addEvent('Small room', { maxAttendees: 3 })
    const page = await openForm(event)
    await add(page)
    await nameOf(page, 2).fill('Bea')
    await add(page)
    await nameOf(page, 3).fill('Cy')
    const other = registrationFor(event, { name: 'Bea', email: 'bea@example.org' })
    await callAt(served.url, registrationApi.initRegistration, other)
    await page.getByRole('button', { name: 'Register 3 people' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Sorry, only 2 places are left.' }).waitFor()
    expect(await nameOf(page, 3).inputValue()).toBe('Cy')
    await page.getByRole('button', { name: 'Remove person 3' }).click()
    await nameOf(page, 2).fill('Ada')
    await page.getByRole('button', { name: 'Register 2 people' }).click()
    await page.getByRole('link', { name: 'Person 2: Ada is already registered' }).click()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('person-2-name')
    await nameOf(page, 2).fill('Bo')
    await page.getByRole('button', { name: 'Register 2 people' }).click()
    await page.waitForURL('**/order/**')
  })

  test('stays as it is without network, and two taps at once add two people', async () => {
    const page = await openForm(await addEvent('Cellar'))
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await add(page)
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Add a person' }).dblclick()
    await nameOf(page, 3).waitFor()
    await nameOf(page, 2).fill('Bea')
    await nameOf(page, 3).fill('Cy')
    // The answer is lost; sent again, it is the same order.
    await page.route('**/initRegistration', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Register 3 people' }).click()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/initRegistration')
    await page.getByRole('button', { name: 'Register 3 people' }).click()
    await page.waitForURL('**/order/**')
    expect(await page.locator('summary strong').allInnerTexts()).toEqual(['Ada', 'Bea', 'Cy'])
  })

  test('forgets a removed person with their mistakes, and gives nobody else their name', async () => {
    const page = await openForm(await addEvent('Loft'))
    await add(page)
    await nameOf(page, 2).fill('Bea')
    await add(page)
    await add(page)
    await page.getByRole('button', { name: 'Register 4 people' }).click()
    const lines = page.getByRole('alert').getByRole('link')
    await page.getByRole('alert').waitFor()
    expect(await lines.allInnerTexts()).toEqual([
      expect.stringMatching(/^Person 3: /),
      expect.stringMatching(/^Person 4: /),
    ])
    await page.getByRole('button', { name: 'Remove person 3' }).click()
    await expect.poll(() => lines.allInnerTexts()).toEqual([expect.stringMatching(/^Person 3: /)])
    await page.getByRole('button', { name: 'Remove person 3' }).click()
    await expect.poll(() => lines.count()).toBe(0)
    await page.reload()
    await nameOf(page, 2).waitFor()
    expect(await nameOf(page, 2).inputValue()).toBe('Bea')
    await page.getByRole('button', { name: 'Remove person 2' }).click()
    await add(page)
    expect(await nameOf(page, 2).inputValue()).toBe('')
  })

  test('leaves nobody of the draft out when their fields do not load', async () => {
    const page = await openForm(await addEvent('Attic'))
    await add(page)
    await nameOf(page, 2).fill('Bea')
    await page.route('**/Companions*', (route) => route.abort())
    await page.reload()
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/Companions*')
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await nameOf(page, 2).waitFor()
    expect(await nameOf(page, 2).inputValue()).toBe('Bea')
    await page.getByRole('button', { name: 'Register 2 people' }).click()
    await page.waitForURL('**/order/**')
  })
})
