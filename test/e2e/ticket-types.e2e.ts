import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Input } from '../../src/contract/endpoint.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { formApi } from '../../src/contract/forms.ts'
import type { TicketType } from '../../src/contract/ticket-type.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { bankKeys } from '../support/bank.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve, until } from '../support/serve.ts'
import { startTestBank, type TestBank } from '../test-bank/test-bank.ts'
import { closePages, expectAccessible, launch, listenForErrors, openPage, signIn } from './browser.ts'

const PHONE = { width: 390, height: 844 }
let bank: TestBank
let served: Served
let browser: Browser
let token = ''

beforeAll(async () => {
  bank = await startTestBank({ ...bankKeys, webhookUrl: 'http://127.0.0.1:3989/api/stripe/webhook' })
  const payments = {
    STRIPE_SECRET_KEY: bankKeys.secretKey,
    STRIPE_WEBHOOK_SECRET: bankKeys.webhookSecret,
    STRIPE_API_BASE: bank.url,
  }
  served = await serve({ port: 3989, env: { ...OPERATOR, ...payments, LIMITS: 'off' } })
  token = (await makeEventAt(served.url)).token
  browser = await launch()
}, 180_000)
// A page that stays open would continue to send requests.
afterEach(({ task }) => closePages(browser, task))
afterAll(async () => {
  await browser.close()
  await bank.stop()
  await served.stop()
})

type Types = Input<typeof ticketTypeApi.saveTicketTypes>['payload']['ticketTypes']

async function addEvent(name: string, ticketTypes: Types): Promise<{ event: Event; types: TicketType[] }> {
  const [startsAt, endsAt] = [new Date('2030-06-21T17:00:00Z'), new Date('2030-06-21T21:00:00Z')]
  const input = { name, startsAt, endsAt, status: 'published' as const }
  const { id: eventId } = (await callAt(served.url, eventApi.save, input, token)).payload
  const [first] = (await callAt(served.url, ticketTypeApi.getTicketTypes, { eventId })).payload
  const payload = {
    eventId,
    ticketTypes: ticketTypes.map((type, index) => (index === 0 ? { id: first?.id, ...type } : type)),
  }
  const types = (await callAt(served.url, ticketTypeApi.saveTicketTypes, { payload }, token)).payload
  return { event: (await callAt(served.url, eventApi.getEvent, { eventId })).payload, types }
}

const addressOf = (event: Event) => `${served.url}/club/${event.clubId}/event/${event.id}`

async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('E-mail', { exact: true }).fill(`${name.split(' ')[0]?.toLowerCase()}@example.org`)
  await page.getByLabel('Phone', { exact: true }).fill('+49 30 1234567')
}

const concert: Types = [
  { name: 'Adult', price: 2500 },
  { name: 'Child', description: 'Up to 12 years', price: 0, maxQuantity: 1 },
  { name: 'Early bird', price: 1500, saleClosesAt: new Date('2026-01-01T12:00:00Z') },
]

test('a visitor chooses a ticket, keeps it over a reload, and is never given another one in its place', async () => {
  const { event } = await addEvent('Concert', concert)
  const page = await openPage(browser, PHONE)
  const wrong = listenForErrors(page, /Failed to load resource: the server responded with a status of 409/)
  await page.goto(addressOf(event))
  await page.getByText('Free–€25.00', { exact: true }).waitFor()
  const [adult, child, early] = [/Adult/, /Child/, /Early bird/].map((name) => page.getByRole('radio', { name }))
  expect(await adult?.isChecked()).toBe(true)
  expect(await early?.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Register and pay €25.00' }).waitFor()
  await child?.check()
  await page.getByRole('button', { name: 'Register', exact: true }).waitFor()
  await fillIn(page, 'Cleo Child')
  await expectAccessible(page)
  await page.reload()
  await page.getByRole('button', { name: 'Register', exact: true }).waitFor()
  expect(await child?.isChecked()).toBe(true)

  // Meanwhile somebody else takes the last one.
  const other = await openPage(browser, PHONE)
  await other.goto(addressOf(event))
  await other.getByRole('radio', { name: /Child/ }).check()
  await fillIn(other, 'Otto Other')
  await other.getByRole('button', { name: 'Register', exact: true }).click()
  await other.getByRole('heading', { name: 'You are registered' }).waitFor()

  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByRole('listitem').getByText('Sorry, “Child” is sold out. Choose another ticket.').waitFor()
  await page
    .getByRole('radio', { name: /Child.*Sold out/ })
    .and(page.locator(':disabled'))
    .waitFor()
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByRole('link', { name: 'Choose a ticket.' }).waitFor()
  await expectAccessible(page)
  // Nor after a reload: another ticket is never chosen by itself.
  await page.reload()
  await page.getByRole('status').getByText('Choose a ticket.').waitFor()
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
  await adult?.check()
  await page.getByRole('button', { name: 'Register and pay €25.00' }).click()
  await page.getByRole('heading', { name: 'Pay €25.00' }).waitFor()
  expect(wrong).toEqual([])
})

test('without JavaScript the ticket is chosen too, and one that is sold out is refused with the input kept', async () => {
  const { event, types } = await addEvent('Workshop', [{ name: 'Maker', maxQuantity: 1 }, { name: 'Guest' }])
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false })
  const [page, late] = [await context.newPage(), await context.newPage()]
  await page.goto(addressOf(event))
  await late.goto(addressOf(event))
  for (const each of [page, late]) await each.getByRole('radio', { name: /Maker/ }).check()
  await fillIn(page, 'Mia Maker')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()

  await fillIn(late, 'Lars Late')
  await late.getByRole('button', { name: 'Register' }).click()
  await late.getByText('Sorry, “Maker” is sold out. Choose another ticket.').waitFor()
  expect(await late.getByLabel('Name').inputValue()).toBe('Lars Late')
  expect(await late.getByRole('radio', { checked: true }).count()).toBe(0)
  await late.getByRole('button', { name: 'Register' }).click()
  await late.getByRole('link', { name: 'Choose a ticket.' }).waitFor()
  expect(await late.getByRole('radio', { checked: true }).count()).toBe(0)
  await late.getByRole('radio', { name: /Guest/ }).check()
  await late.getByRole('button', { name: 'Register' }).click()
  await late.getByRole('heading', { name: 'You are registered' }).waitFor()
  const eventId = event.id
  const sold = (await callAt(served.url, ticketTypeApi.getTicketTypes, { eventId })).payload
  expect(sold.map(({ id, soldCount }) => [id, soldCount])).toEqual(types.map(({ id }) => [id, 1]))
})

test('an event of which no ticket can be had says so, and an event with one kind of ticket asks for none', async () => {
  const opensAt = new Date('2030-01-05T11:00:00Z')
  const { event } = await addEvent('Not yet', [
    { name: 'Adult', saleOpensAt: opensAt },
    { name: 'Child', saleOpensAt: opensAt },
  ])
  const page = await openPage(browser, PHONE)
  await page.goto(addressOf(event))
  await page.getByRole('heading', { name: 'Not open yet' }).waitFor()
  await page.getByText(/^Registration opens on .*2030/).waitFor()
  expect(await page.getByRole('radio').count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Add a reminder to your calendar' }).waitFor()
  // The club's list says the same.
  await page.goto(`${served.url}/club/${event.clubId}/event`)
  await page
    .getByRole('link')
    .filter({ hasText: 'Not yet' })
    .getByText(/^Opens .*2030/)
    .waitFor()

  const { event: simple } = await addEvent('Simple', [{ name: 'Ticket', price: 1200 }])
  await page.goto(addressOf(simple))
  await page.getByRole('button', { name: 'Register and pay €12.00' }).waitFor()
  expect(await page.getByRole('radio').count()).toBe(0)
  expect(await page.getByText('Ticket', { exact: true }).count()).toBe(0)
})

test('staff add, edit and move tickets, take one off sale, and do not undo what a colleague saved', async () => {
  const { event } = await addEvent('Fair', [{ name: 'Adult', price: 800 }])
  const page = await openPage(browser)
  const wrong = listenForErrors(page, /Failed to load resource: the server responded with a status of (400|409|422)/)
  await signIn(page, served, { email: 'ana@example.org', password: 'correct horse 1' })
  await page.goto(`${served.url}/event/${event.id}/tickets`)
  await page.getByRole('heading', { name: 'Adult €8.00' }).waitFor()
  // A single ticket can be neither taken off sale nor moved.
  expect(await page.getByRole('button', { name: /^(More for|Move) Adult/ }).count()).toBe(0)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Add a ticket' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Price in EUR').fill('1,000')
  await dialog.getByLabel('On sale until (optional)', { exact: true }).fill('some day')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter an amount.').waitFor()
  await dialog.getByText('Enter a date and time like 21/06/2030 19:00.').waitFor()
  await dialog.getByLabel('Price in EUR').fill('3.50')
  await dialog.getByLabel('On sale until (optional)', { exact: true }).fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter the name of the ticket.').waitFor()
  await dialog.getByLabel('Name').fill('Adult')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Another ticket has this name.').waitFor()
  await dialog.getByLabel('Name').fill('Child')
  await dialog.getByLabel('How many (optional)').fill('20')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Child €3.50' }).waitFor()
  await page.getByText('20 left').waitFor()
  await expectAccessible(page)

  const saved = page.waitForResponse('**/api/event/saveTicketTypes')
  await page.getByRole('button', { name: 'Move Child up' }).click()
  await page.getByRole('listitem').first().getByRole('heading', { name: 'Child' }).waitFor()
  await saved
  await page.reload()
  await page.getByRole('listitem').first().getByRole('heading', { name: 'Child' }).waitFor()

  // A colleague changes the other one meanwhile: what is typed here stays, and theirs too.
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await dialog.getByLabel('Name').fill('Child up to 12')
  const eventId = event.id
  const before = (await callAt(served.url, ticketTypeApi.getTicketTypes, { eventId })).payload
  const ticketTypes = before.map(({ id, name }) => (name === 'Adult' ? { id, price: 900 } : { id }))
  await callAt(served.url, ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: 'Child up to 12 €3.50' }).waitFor()
  await page.getByRole('heading', { name: 'Adult €9.00' }).waitFor()

  // A change of the same one is not overwritten.
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await dialog.getByLabel('Price in EUR').fill('4')
  const priced = before.map(({ id, name }) => (name === 'Child' ? { id, price: 500 } : { id }))
  await callAt(served.url, ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes: priced } }, token)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByRole('button', { name: 'Load the latest' }).click()
  await dialog.getByRole('button', { name: 'Load the latest' }).waitFor({ state: 'detached' })
  expect(await dialog.getByLabel('Price in EUR').inputValue()).toBe('5')
  await dialog.getByRole('button', { name: 'Close without saving' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'More for Adult' }).click()
  await page.getByRole('menuitem', { name: 'Take off sale' }).click()
  await page.getByRole('button', { name: 'Take it off sale' }).click()
  await page.getByRole('button', { name: 'More for Child up to 12' }).waitFor({ state: 'detached' })
  const left = (await callAt(served.url, ticketTypeApi.getTicketTypes, { eventId })).payload
  expect(left.map(({ name, price }) => [name, price])).toEqual([['Child up to 12', 500]])
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Put back on sale: Adult' }).click()
  await page.getByRole('heading', { name: 'Adult €9.00' }).and(page.locator(':focus')).waitFor()
  expect(await page.getByRole('button', { name: /back on sale/ }).count()).toBe(0)

  // With tickets of one price too, the settings lead to where it is changed.
  const same = [...left.map(({ id }) => ({ id })), { id: before.find(({ name }) => name === 'Adult')?.id, price: 500 }]
  await callAt(served.url, ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes: same } }, token)
  await page.goto(`${served.url}/event/${eventId}/edit`)
  await page.getByLabel('Name', { exact: true }).waitFor()
  await page.locator(`main form a[href="/event/${eventId}/tickets"]`).waitFor()
  expect(await page.getByRole('textbox', { name: /^Price|^Ticket price/ }).count()).toBe(0)
  expect(wrong).toEqual([])
})

test('a question is asked only for the tickets that staff chose, and its answer outlasts another choice', async () => {
  const { event, types } = await addEvent('Camp', [{ name: 'Adult' }, { name: 'Child' }, { name: 'Youth' }])
  const staff = await openPage(browser)
  const wrong = listenForErrors(staff)
  await signIn(staff, served, { email: 'ana@example.org', password: 'correct horse 1' })
  await staff.goto(`${served.url}/event/${event.id}/form`)
  await staff.getByRole('button', { name: 'Add a question' }).click()
  await staff.getByLabel('Question', { exact: true }).fill('How old is the child?')
  await staff.getByRole('switch', { name: 'An answer is required' }).click()
  await staff.getByRole('group', { name: 'Asked for these tickets' }).getByLabel('Child').check()
  const preview = staff.getByRole('region', { name: 'As visitors see it' })
  await preview.getByText('Only for: Child').waitFor()
  await expectAccessible(staff)
  await staff.getByRole('button', { name: 'Save', exact: true }).click()
  await staff.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  await staff.reload()
  await staff.getByRole('region', { name: 'Question 1' }).getByText('Only for: Child').waitFor()

  const page = await openPage(browser, PHONE)
  await page.goto(addressOf(event))
  const age = page.getByLabel('How old is the child?')
  await page.getByRole('radio', { name: 'Adult' }).waitFor()
  await age.waitFor({ state: 'hidden' })
  await page.getByRole('radio', { name: 'Child' }).check()
  await fillIn(page, 'Kim Camp')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  const unanswered = page.getByRole('link', { name: 'How old is the child? Please answer this question.' })
  await unanswered.waitFor()
  // With another ticket it is neither asked nor missing.
  await page.getByRole('radio', { name: 'Adult' }).check()
  await unanswered.waitFor({ state: 'detached' })
  await page.getByRole('radio', { name: 'Child' }).check()
  await unanswered.click()
  await page.keyboard.type('7')
  await expectAccessible(page)
  await page.getByRole('radio', { name: 'Adult' }).check()
  await age.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('radio', { name: 'Child' }).check()
  expect(await age.inputValue()).toBe('7')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  await page
    .getByRole('link', { name: /ticket/i })
    .first()
    .click()
  await page.getByText('Correct your details').click()
  expect(await page.getByLabel('How old is the child?').inputValue()).toBe('7')

  // Staff are asked by the ticket that they give.
  await staff.goto(`${served.url}/event/${event.id}/attendees`)
  await staff.getByRole('button', { name: 'Add somebody' }).click()
  const dialog = staff.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Alex Adult')
  const asked = dialog.getByLabel('How old is the child?')
  // Every question is shown until the ticket types are known.
  await asked.waitFor({ state: 'hidden' })
  await dialog.getByLabel('Ticket').selectOption({ label: 'Child' })
  await asked.waitFor()
  await dialog.getByLabel('Ticket').selectOption({ label: 'Adult' })
  // Off sale meanwhile: no other one takes its place by itself.
  const eventId = event.id
  const left = types.filter(({ name }) => name !== 'Adult').map(({ id }) => ({ id }))
  await callAt(served.url, ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes: left } }, token)
  const isNoneChosen = async () => {
    await staff.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    return (await dialog.getByLabel('Ticket').inputValue()) === ''
  }
  await until(isNoneChosen, 30_000, 'the list is read again, and no ticket is chosen')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByRole('alert').getByText('Choose a ticket.').waitFor()
  await dialog.getByLabel('Ticket').selectOption({ label: 'Youth' })
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await staff.getByText('Alex Adult').first().waitFor()
  expect(wrong).toEqual([])
})

test('without JavaScript the questions for every ticket are shown, each with what it is for', async () => {
  const { event, types } = await addEvent('Hike', [{ name: 'Walker' }, { name: 'Rider' }])
  const rider = types.find(({ name }) => name === 'Rider')?.id ?? 0
  const question = { typeId: 0, text: 'What is the horse called?', required: true, options: [], ticketTypeIds: [rider] }
  const payload = { eventId: event.id, formQuestions: [question], rmQIds: [] }
  await callAt(served.url, formApi.save, { payload }, token)
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(addressOf(event))
  await page.getByText('Only for: Rider').waitFor()
  await page.getByRole('radio', { name: 'Rider' }).check()
  await fillIn(page, 'Rita Rider')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('link', { name: 'What is the horse called? Please answer this question.' }).waitFor()
  await page.getByLabel('What is the horse called?').fill('Bella')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  // Who takes another ticket leaves it empty.
  await page.goto(addressOf(event))
  await page.getByRole('radio', { name: 'Walker' }).check()
  await fillIn(page, 'Will Walker')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
})
