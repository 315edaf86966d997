import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { bankKeys } from '../support/bank.ts'
import { registrationFor } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve, until } from '../support/serve.ts'
import { startTestBank, type TestBank } from '../test-bank/test-bank.ts'
import { expectAccessible, launch, signIn } from './browser.ts'
import { ANA, beep, expectVerdict, nextPlease, PHONE, prepare } from './door-set-up.ts'

let bank: TestBank
let served: Served
let event: Event
let token = ''
let browser: Browser
beforeAll(async () => {
  bank = await startTestBank({ ...bankKeys, webhookUrl: 'http://127.0.0.1:4019/api/stripe/webhook' })
  const stripe = { STRIPE_SECRET_KEY: bankKeys.secretKey, STRIPE_WEBHOOK_SECRET: bankKeys.webhookSecret }
  served = await serve({ port: 4019, env: { ...OPERATOR, ...stripe, STRIPE_API_BASE: bank.url, LIMITS: 'off' } })
  const made = await makeEventAt(served.url)
  token = made.token
  event = (await callAt(served.url, eventApi.save, { id: made.event.id, ticketPrice: 2500 }, token)).payload
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
  await bank.stop()
})

const guest = async (name: string) =>
  (await callAt(served.url, registrationApi.initRegistration, registrationFor(event, { name }))).payload
    .savedRegistration
const taken = async () => {
  const input = { eventId: event.id, date: '2026-01-01' }
  const { doorMoney } = (await callAt(served.url, statisticsApi.getStatistics, input, token)).payload
  return doorMoney.map(({ way, count, amount }) => `${way} ${count} ${amount}`)
}

test('an unpaid ticket is paid in cash without network, sent later once, and taken back like a check-in', async () => {
  const [una, otto] = [await guest('Una Unpaid'), await guest('Otto Owing')]
  const context = await browser.newContext({ viewport: PHONE, permissions: ['camera'], reducedMotion: 'reduce' })
  await prepare(context, 0, 'Cash desk')
  const page = await context.newPage()
  await signIn(page, served, ANA)
  await page.goto(`${served.url}/event/${event.id}/scanner/main`)
  await page.getByText('Up to date').waitFor()
  await page.getByText('Works offline').waitFor()

  await context.setOffline(true)
  await beep(page, ticketUrl(served.url, una))
  await expectVerdict(page, 'unpaid', /Una Unpaid[\s\S]*25\.00/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Paid in cash' }).click()
  await expectVerdict(page, 'in', /Una Unpaid[\s\S]*25\.00/)
  await nextPlease(page)
  // The phone knows it by now, although the server does not.
  await beep(page, ticketUrl(served.url, una))
  await expectVerdict(page, 'already', 'Una Unpaid')
  await nextPlease(page)
  expect(await taken()).toEqual([])
  await page.reload()
  await context.setOffline(false)
  await until(async () => (await taken()).join() === 'cash 1 2500', 30_000, 'the payment is sent')

  await page.getByText('Up to date').waitFor()
  await beep(page, ticketUrl(served.url, otto))
  await expectVerdict(page, 'unpaid', 'Otto Owing')
  await page.getByRole('button', { name: 'Paid by card terminal' }).click()
  await expectVerdict(page, 'in', 'Otto Owing')
  await nextPlease(page)
  expect(await taken()).toEqual(['cash 1 2500', 'terminal 1 2500'])

  await page.getByRole('button', { name: 'Take back Otto Owing' }).first().click()
  await until(async () => (await taken()).includes('terminal 0 0'), 30_000, 'the payment is taken back')
  await beep(page, ticketUrl(served.url, otto))
  await expectVerdict(page, 'unpaid', 'Otto Owing')
  await page.getByRole('button', { name: 'Not now' }).click()

  await page.goto(`${served.url}/event/${event.id}/statistics`)
  await page.getByRole('heading', { name: 'Taken at the door' }).waitFor()
  await context.close()
})

test('a family that has not paid is one bill, also without network, and whoever costs nothing comes along', async () => {
  const eventId = event.id
  await callAt(served.url, eventApi.save, { id: eventId, maxPerEmail: 10 }, token)
  const [adult] = (await callAt(served.url, ticketTypeApi.getTicketTypes, { eventId })).payload
  const ticketTypes = [
    { id: adult?.id, name: 'Adult' },
    { name: 'Baby', price: 0 },
  ]
  const saved = await callAt(served.url, ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token)
  const baby = companion({ name: 'Mo', ticketTypeId: saved.payload[1]?.id ?? 0 })
  const request = registrationFor(event, { name: 'Mia' })
  const companions = [companion({ name: 'Max' }), baby]
  const order = (await callAt(served.url, registrationApi.initRegistration, { ...request, companions })).payload
  const [mia, , mo] = order.registrations ?? []
  if (!mia || !mo) throw new Error('An order of three.')
  const before = await taken()
  const context = await browser.newContext({ viewport: PHONE, permissions: ['camera'], reducedMotion: 'reduce' })
  await prepare(context, 0, 'Cash desk')
  const page = await context.newPage()
  await signIn(page, served, ANA)
  await page.goto(`${served.url}/event/${eventId}/scanner/main`)
  await page.getByText('Up to date').waitFor()
  await context.setOffline(true)
  await beep(page, ticketUrl(served.url, mo))
  await expectVerdict(page, 'unpaid', /Mo[\s\S]*This ticket is free/)
  await page.getByRole('button', { name: 'Next' }).click()
  await beep(page, ticketUrl(served.url, mia))
  await expectVerdict(page, 'unpaid', 'Mia')
  await expectAccessible(page)
  const all = page.getByRole('group', { name: 'All 2 of the order: €50.00' })
  await page.getByRole('group', { name: /^Only Mia/ }).waitFor()
  await all.getByRole('button', { name: 'Paid in cash' }).click()
  await expectVerdict(page, 'in', 'Mia, Max')
  await page.getByRole('button', { name: 'Let Mo in' }).click()
  await expectVerdict(page, 'in', 'Mo')
  await context.setOffline(false)
  const cash = (rows: string[]) => Number(/cash \d+ (\d+)/.exec(rows.join())?.[1] ?? 0)
  await until(async () => cash(await taken()) === cash(before) + 5000, 30_000, 'the payments are sent')
  await page.getByText('All sent').waitFor()
  const { attendees } = (
    await callAt(served.url, attendeeApi.getAttendees, { eventId, searchKeyword: '', sortBy: 'name', limit: 50 }, token)
  ).payload
  const isIn = (name: string) =>
    attendees.some((row) => row.registration.registrationData.name === name && row.checkin?.status)
  expect(['Mia', 'Max', 'Mo'].map(isIn)).toEqual([true, true, true])
  await context.close()
})
