import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { codeApi } from '../../src/contract/codes.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { bankKeys } from '../support/bank.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve, until } from '../support/serve.ts'
import { startTestBank, type TestBank } from '../test-bank/test-bank.ts'
import { closePages, expectAccessible, launch, listenForErrors, openPage, signIn } from './browser.ts'
import { ANA } from './door-set-up.ts'

const PHONE = { width: 390, height: 844 }
let bank: TestBank
let served: Served
let browser: Browser
let event: Event
let token: string

beforeAll(async () => {
  bank = await startTestBank({ ...bankKeys, webhookUrl: 'http://127.0.0.1:4020/api/stripe/webhook' })
  const payments = {
    STRIPE_SECRET_KEY: bankKeys.secretKey,
    STRIPE_WEBHOOK_SECRET: bankKeys.webhookSecret,
    STRIPE_API_BASE: bank.url,
  }
  served = await serve({ port: 4020, env: { ...OPERATOR, ...payments, LIMITS: 'off' } })
  const made = await makeEventAt(served.url)
  token = made.token
  const rules = { maxPerEmail: 10, phoneField: 'off' as const, maxAttendees: 20 }
  event = (await callAt(served.url, eventApi.save, { id: made.event.id, ticketPrice: 2500, ...rules }, token)).payload
  browser = await launch()
}, 180_000)
// A page that stays open would continue to send requests.
afterEach(({ task }) => closePages(browser, task))
afterAll(async () => {
  await browser.close()
  await bank.stop()
  await served.stop()
})

const eventPage = () => `${served.url}/club/${event.clubId}/event/${event.id}`
const codeIn = (page: Page) => page.getByLabel('Code', { exact: true })
const total = (page: Page, amount: string) => page.getByRole('button', { name: `Register and pay ${amount}` }).waitFor()

async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).first().fill(name)
  await page
    .getByLabel('E-mail', { exact: true })
    .first()
    .fill(`${name.toLowerCase().replace(' ', '.')}@example.org`)
}

test('staff add a code, and whoever opens its link pays less; a wrong one says so at its field', async () => {
  const staff = await openPage(browser)
  await signIn(staff, served, ANA)
  await staff.goto(`${served.url}/event/${event.id}/tickets`)
  await staff.getByRole('button', { name: 'Add a code' }).click()
  const dialog = staff.getByRole('dialog', { name: 'Add a code' })
  await dialog.getByRole('button', { name: 'Suggest a code' }).click()
  expect(await codeIn(staff).inputValue()).toMatch(/^[A-Z2-9]{8}$/)
  await codeIn(staff).fill('early 20')
  await dialog.getByLabel('Percent off (100 is free)').fill('20')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('without spaces').waitFor()
  await codeIn(staff).fill('EARLY20')
  await dialog.getByLabel('For how many people').fill('3')
  await expectAccessible(staff)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await staff.getByText('20% off').waitFor()
  await expectAccessible(staff)

  const visitor = await openPage(browser, PHONE)
  const wrong = listenForErrors(visitor, /409|Conflict|INTERNET_DISCONNECTED/)
  await visitor.goto(`${eventPage()}?code=early20`)
  await visitor.getByText('Code early20: €20.00 instead of €25.00.').first().waitFor()
  await total(visitor, '€20.00')
  await expectAccessible(visitor)
  // The draft keeps it, and it can be removed.
  await fillIn(visitor, 'Ed Early')
  await visitor.goto(eventPage())
  await visitor.getByText('Code early20: €20.00 instead of €25.00.').first().waitFor()
  await visitor.getByRole('button', { name: 'Remove code' }).click()
  await total(visitor, '€25.00')
  expect(await codeIn(visitor).evaluate((field) => field === document.activeElement)).toBe(true)
  await visitor.reload()
  await total(visitor, '€25.00')
  await visitor.getByText('I have a code').click()
  await codeIn(visitor).fill('nonsense')
  await codeIn(visitor).press('Enter')
  await visitor.getByText('There is no such code.').waitFor()
  expect(await codeIn(visitor).evaluate((field) => field === document.activeElement)).toBe(true)
  await visitor.context().setOffline(true)
  await codeIn(visitor).fill('EARLY20')
  await visitor.getByRole('button', { name: 'Use code' }).click()
  await visitor.locator('[name=code][aria-invalid=true]').waitFor()
  expect(await codeIn(visitor).inputValue()).toBe('EARLY20')
  await visitor.context().setOffline(false)
  await visitor.getByRole('button', { name: 'Use code' }).click()
  await visitor.getByRole('button', { name: 'Register and pay €20.00' }).click()
  await visitor.waitForURL(/\/pay\/|success/)
  expect(bank.sessions().at(-1)).toMatchObject({ amountTotal: 2000 })
  expect(wrong).toEqual([])
})

test('a code that is typed and not used yet counts when the form is sent; without script too', async () => {
  const page = await openPage(browser, PHONE)
  await page.goto(eventPage())
  await page.getByText('I have a code').click()
  await codeIn(page).fill('EARLY20')
  await fillIn(page, 'Ty Typed')
  await page.getByRole('button', { name: /^Register and pay/ }).click()
  await page.waitForURL(/\/pay\/|success/)
  expect(bank.sessions().at(-1)).toMatchObject({ amountTotal: 2000 })

  const plain = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE })
  const still = await plain.newPage()
  await still.goto(eventPage())
  await still.getByText('I have a code').click()
  await codeIn(still).fill('NOTHING')
  await fillIn(still, 'Sue Still')
  await still.getByRole('button', { name: /^Register/ }).click()
  await still.getByRole('alert').getByText('There is no such code').waitFor()
  await codeIn(still).fill('EARLY20')
  await still.getByRole('button', { name: /^Register/ }).click()
  await still.waitForURL(/\/pay\//)
  expect(bank.sessions().at(-1)).toMatchObject({ amountTotal: 2000 })
})

test('a ticket that needs a code is only there with it, for companions too', async () => {
  const eventId = event.id
  const [first] = (await callAt(served.url, ticketTypeApi.getTicketTypes, { eventId })).payload
  const ticketTypes = [
    { id: first?.id, name: 'Guest', maxQuantity: 3 },
    { name: 'Crew', price: 0, access: 'code' as const },
  ]
  const types = (await callAt(served.url, ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token))
    .payload
  const crew = { eventId, kind: 'percent' as const, value: 0, maxUses: null, opensAt: null, closesAt: null, note: '' }
  const ticketTypeIds = types.filter(({ name }) => name === 'Crew').map(({ id }) => id)
  await callAt(served.url, codeApi.saveCode, { payload: { ...crew, code: 'CREW', ticketTypeIds } }, token)

  const page = await openPage(browser, PHONE)
  const wrong = listenForErrors(page)
  // All guests' tickets are taken. The page may be a moment old.
  const isFull = async () => {
    await page.goto(eventPage())
    return (await page.getByRole('heading', { name: 'Fully booked' }).count()) > 0
  }
  await until(isFull, 10_000, 'the page says that it is fully booked')
  await page.getByText('You need a code for a ticket.').waitFor()
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByRole('alert').getByRole('link', { name: 'You need a code for a ticket.' }).click()
  expect(await codeIn(page).evaluate((field) => field === document.activeElement)).toBe(true)
  // A code that is typed only shows what it is good for.
  await codeIn(page).fill('CREW')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText('Code CREW is in use, for Crew.').first().waitFor()
  expect(await page.getByRole('radio', { name: /^Crew/ }).isChecked()).toBe(true)
  expect(await page.getByRole('heading', { name: 'Fully booked' }).count()).toBe(0)
  await expectAccessible(page)
  await fillIn(page, 'Cleo Crew')
  await page.getByRole('button', { name: 'Add a person' }).click()
  const person = page.getByRole('group', { name: 'Person 2' })
  await person.getByLabel('Name').fill('Carl Crew')
  await page.getByRole('button', { name: 'Register 2 people' }).click()
  await page.waitForURL(/\/order\//)
  await page.getByText('Carl Crew').first().waitFor()
  expect(wrong).toEqual([])
})

test('an owner uploads the list of members, and only they get the ticket for members', async () => {
  const staff = await openPage(browser)
  const wrong = listenForErrors(staff)
  await signIn(staff, served, ANA)
  await staff.goto(`${served.url}/club/edit/${event.clubId}`)
  const members = staff.getByRole('region', { name: 'Members', exact: true })
  await members.getByText('No list yet.').waitFor()
  const list = 'Name;Mitgliedsnummer;E-Mail\nMia;0042;mia@example.org\nMoe;A 7;\nNobody;;\n'
  const file = { name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(list) }
  await members.locator('input[type=file]').setInputFiles(file)
  const dialog = staff.getByRole('dialog', { name: 'Check the list' })
  await dialog.getByText('2 rows can be read.').waitFor()
  await dialog.getByText('Row 4: No number and no e-mail address').waitFor()
  expect(await dialog.getByLabel('Member numbers are in').inputValue()).toBe('1')
  await expectAccessible(staff)
  await dialog.getByRole('button', { name: 'Use this list' }).click()
  await members.getByText(/^2 members, from /).waitFor()

  await staff.goto(`${served.url}/event/${event.id}/tickets`)
  await staff.getByRole('button', { name: 'Add a ticket' }).click()
  const added = staff.getByRole('dialog', { name: 'Add a ticket' })
  await added.getByLabel('Name', { exact: true }).fill('Member')
  await added.getByLabel('Who can get it').selectOption('Only members of the club')
  await added.getByLabel('Tickets per member').fill('1')
  await added.getByRole('button', { name: 'Save' }).click()
  await staff.getByRole('heading', { name: /^Member/ }).waitFor()
  await expectAccessible(staff)

  const page = await openPage(browser, PHONE)
  const isThere = async () => {
    await page.goto(eventPage())
    return (await page.getByRole('radio', { name: /^Member/ }).count()) > 0
  }
  await until(isThere, 10_000, 'the page has the ticket')
  await page.getByRole('radio', { name: /^Member/ }).check()
  await fillIn(page, 'Mia Member')
  await page.getByLabel('Member number or e-mail').fill('43')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByRole('alert').getByText('no member with this number').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Member number or e-mail').fill('42')
  await page.getByRole('button', { name: 'Add a person' }).click()
  const person = page.getByRole('group', { name: 'Person 2' })
  await person.getByLabel('Name').fill('Moe Member')
  await person.getByLabel('Member number or e-mail').fill('mia@example.org')
  await page.getByRole('button', { name: 'Register 2 people' }).click()
  await page.getByRole('alert').getByText('only one of these tickets').waitFor()
  await person.getByLabel('Member number or e-mail').fill('a7')
  await page.getByRole('button', { name: 'Register 2 people' }).click()
  await page.waitForURL(/\/order\//)
  expect(wrong).toEqual([])

  // Without script the field is always there.
  const plain = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE })
  const still = await plain.newPage()
  await still.goto(eventPage())
  await still.getByRole('radio', { name: /^Member/ }).check()
  await fillIn(still, 'Sue Stranger')
  await still.getByRole('button', { name: /^Register/ }).click()
  await still.getByRole('alert').getByText('Enter the member number').waitFor()
  await still.getByLabel('Member number or e-mail').fill('9')
  await still.getByRole('button', { name: /^Register/ }).click()
  await still.getByRole('alert').getByText('no member with this number').waitFor()
  // A code that is refused leaves everything that was typed.
  await still.getByText('I have a code').click()
  await codeIn(still).fill('x'.repeat(101))
  await still.getByRole('button', { name: /^Register/ }).click()
  await still.getByRole('alert').waitFor()
  expect(await still.getByLabel('Name', { exact: true }).inputValue()).toBe('Sue Stranger')
})

test('a code for other tickets is not used, and one with too few uses left keeps what was chosen', async () => {
  const [startsAt, endsAt] = [new Date('2030-06-21T17:00:00Z'), new Date('2030-06-21T21:00:00Z')]
  const rules = { phoneField: 'off' as const, ticketPrice: 2000, status: 'published' as const }
  const input = { name: 'Family day', startsAt, endsAt, ...rules }
  const { id: eventId } = (await callAt(served.url, eventApi.save, input, token)).payload
  const [first] = (await callAt(served.url, ticketTypeApi.getTicketTypes, { eventId })).payload
  const ticketTypes = [
    { id: first?.id, name: 'Adult' },
    { name: 'Child', price: 1000 },
  ]
  const { payload: types } = await callAt(
    served.url,
    ticketTypeApi.saveTicketTypes,
    { payload: { eventId, ticketTypes } },
    token,
  )
  const ticketTypeIds = types.filter(({ name }) => name === 'Child').map(({ id }) => id)
  const half = { eventId, kind: 'percent' as const, value: 50, opensAt: null, closesAt: null, note: '' }
  await callAt(served.url, codeApi.saveCode, { payload: { ...half, code: 'KIDS', maxUses: 2, ticketTypeIds } }, token)
  const address = `${served.url}/club/${event.clubId}/event/${eventId}?code=KIDS`

  const alone = await openPage(browser, PHONE)
  const wrong = listenForErrors(alone, /409|Conflict/)
  await alone.goto(address)
  await total(alone, '€5.00')
  await alone.getByRole('radio', { name: /^Adult/ }).check()
  await alone.getByText('It changes nothing for what you have chosen, so it is not used.').first().waitFor()
  await expectAccessible(alone)
  await fillIn(alone, 'Al Alone')
  await alone.getByRole('button', { name: 'Register and pay €20.00' }).click()
  await alone.waitForURL(/\/pay\/|success/)
  expect(bank.sessions().at(-1)).toMatchObject({ amountTotal: 2000 })

  const page = await openPage(browser, PHONE)
  const wrongHere = listenForErrors(page, /409|Conflict/)
  await page.goto(address)
  await total(page, '€5.00')
  await fillIn(page, 'Pa Parent')
  for (const place of [2, 3]) {
    await page.getByRole('button', { name: 'Add a person' }).click()
    await page
      .getByRole('group', { name: `Person ${place}` })
      .getByLabel('Name')
      .fill(`Kid ${place}`)
  }
  await page.getByText('Person 1', { exact: true }).waitFor()
  // What the total is made up of.
  await page.getByRole('listitem').filter({ hasText: '3 × Child' }).getByText('€15.00').waitFor()
  await page.getByRole('button', { name: 'Register and pay €15.00' }).click()
  const refusal = page.getByRole('alert').getByRole('link', { name: /only 2 more people/ })
  await refusal.waitFor()
  await expectAccessible(page)
  await refusal.click()
  await page.getByRole('button', { name: 'Remove code' }).and(page.locator(':focus')).waitFor()
  expect(await page.getByRole('radio', { name: /^Child/ }).isChecked()).toBe(true)
  await page.getByRole('group', { name: 'Person 3' }).getByLabel('Ticket').selectOption('Adult · €20.00')
  // What was wrong may be right now.
  await refusal.waitFor({ state: 'detached' })
  await page.getByRole('listitem').filter({ hasText: '2 × Child' }).getByText('€10.00').waitFor()
  await page.getByRole('button', { name: 'Register and pay €30.00' }).click()
  await page.waitForURL(/\/pay\/|success/)
  expect(bank.sessions().at(-1)).toMatchObject({ amountTotal: 3000 })
  expect([...wrong, ...wrongHere]).toEqual([])
})

test('staff are warned which hidden tickets a code opens that names none', async () => {
  const staff = await openPage(browser)
  // The one refusal below.
  const wrong = listenForErrors(staff, /422/)
  await signIn(staff, served, ANA)
  await staff.goto(`${served.url}/event/${event.id}/tickets`)
  await staff.getByRole('button', { name: 'Add a code' }).click()
  const dialog = staff.getByRole('dialog', { name: 'Add a code' })
  await dialog.getByText('None chosen: for all tickets. It then also opens: Crew').waitFor()
  await dialog.getByRole('checkbox', { name: /^Crew/ }).check()
  await dialog.getByText('None chosen: for all tickets', { exact: true }).waitFor()

  // A code that another one has is refused at its field.
  const given = { code: 'TWICE', kind: 'percent' as const, value: 10, ticketTypeIds: [], maxUses: null, note: '' }
  const payload = { eventId: event.id, ...given, opensAt: null, closesAt: null }
  await callAt(served.url, codeApi.saveCode, { payload }, token)
  await codeIn(staff).fill('twice')
  await dialog.getByLabel('Percent off (100 is free)').fill('20')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Another code of this event is called so.').waitFor()
  await codeIn(staff).and(staff.locator(':focus')).waitFor()
  await expectAccessible(staff)
  expect(wrong).toEqual([])
})
