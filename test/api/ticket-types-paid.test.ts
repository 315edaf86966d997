import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { makeExtras, registrationFor } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import {
  app,
  bank,
  later,
  MINUTE,
  paying,
  pricedFixture,
  setUpPayingApp,
  statusOf,
  ticketOf,
} from '../support/paying.ts'

setUpPayingApp()

type Types = Input<typeof ticketTypeApi.saveTicketTypes>['payload']['ticketTypes']

/** An event that sells adults' tickets for 25.00, one child's ticket for 10.00, and others. */
async function withTypes(...others: Types) {
  const { event, token } = await pricedFixture()
  const eventId = event.id
  const [first] = await app.call(ticketTypeApi.getTicketTypes, { eventId })
  const ticketTypes = [{ id: first?.id, name: 'Adult' }, { name: 'Child', price: 1000, maxQuantity: 1 }, ...others]
  const types = await app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token)
  const idOf = (name: string) => types.find((type) => type.name === name)?.id ?? 0
  return { event, token, idOf }
}

async function begin(event: Event, ticketTypeId: number, extrasIds: number[] = []) {
  const request = registrationFor(event)
  const newRegistration = { ...request.newRegistration, ticketTypeId }
  const answer = await app.call(registrationApi.initRegistration, { ...request, newRegistration, extrasIds })
  return {
    registration: answer.savedRegistration,
    session: /cs_test_\w+/.exec(answer.checkoutUrl ?? '')?.[0] ?? '',
  }
}

test('the bank asks for the price of the type, and mail, PDF and sheet name it', async () => {
  const { event, token, idOf } = await withTypes()
  const child = await begin(event, idOf('Child'))
  expect(child.registration.amount).toBe(1000)
  expect(bank.sessions()).toMatchObject([{ amountTotal: 1000 }])
  await bank.pay(child.session)
  await app.finishMails()
  const [mail] = app.sent.filter(({ to }) => to === child.registration.registrationData.email)
  expect(mail?.text).toContain('Child')
  expect(mail?.html).toContain('Child')
  expect((await ticketOf(child.registration)).ticketType).toMatchObject({ name: 'Child' })
  const sheet = await app.raw(attendeeApi.downloadAttendees, { eventId: event.id }, { authorization: token })
  const [heads = [], row = []] = (await readXlsx(Buffer.from(await sheet.arrayBuffer()))).sheets[0]?.rows ?? []
  expect(row[heads.indexOf('Ticket')]).toBe('Child')
})

test('the statistics tell what was paid for each type, without vouchers and without what is not paid', async () => {
  const { event, token, idOf } = await withTypes({ name: 'Guest', price: 0 })
  const drinks = await makeExtras(app, token, event.id, { price: 300 })
  const [adult, child] = [await begin(event, idOf('Adult'), [drinks.id]), await begin(event, idOf('Child'))]
  // Waits to be paid.
  await begin(event, idOf('Adult'))
  await begin(event, idOf('Guest'))
  for (const { session } of [adult, child]) await bank.pay(session)
  const statistics = () => app.call(statisticsApi.getStatistics, { eventId: event.id, date: '2030-01-01' }, token)
  expect((await statistics()).ticketTypes).toMatchObject([
    { name: 'Adult', sold: 2, paid: 2500 },
    { name: 'Child', sold: 1, paid: 1000, maxQuantity: 1 },
    { name: 'Guest', sold: 1, paid: 0 },
  ])
})

test('the last ticket of a type is held, and whoever pays too late for it is refunded, however many places are left', async () => {
  bank.behave({ webhooks: 'keep' })
  const { event, idOf } = await withTypes()
  const late = await begin(event, idOf('Child'))
  await refusalOf(begin(event, idOf('Child')), 'SOLD_OUT')
  await bank.pay(late.session)
  later(31 * MINUTE)
  const next = await begin(event, idOf('Child'))
  for (const { id, type } of bank.events) if (type === 'checkout.session.completed') await bank.deliver(id)
  expect(await statusOf(late.registration)).toBe('cancelled')
  expect(await statusOf(next.registration)).toBe('pending')
  await paying.finishPayments()
  expect(bank.ledger()).toMatchObject([{ sessionId: late.session, charged: 1000, refunded: 1000 }])
})

test('a ticket whose hold ended is reserved again by its holder while one of its type is left', async () => {
  const { event, idOf } = await withTypes()
  const first = await begin(event, idOf('Child'))
  later(31 * MINUTE)
  await paying.finishPayments()
  const payload = { registrationId: first.registration.id, qrUuid: first.registration.qrUuid }
  await app.call(paymentApi.createCheckout, { payload })
  expect(await statusOf(first.registration)).toBe('pending')
  later(31 * MINUTE)
  await paying.finishPayments()
  await begin(event, idOf('Child'))
  await refusalOf(app.call(paymentApi.createCheckout, { payload }), 'SOLD_OUT')
})

test('a ticket whose hold ended is not reserved again once its type is no longer sold', async () => {
  const { event, token, idOf } = await withTypes()
  const eventId = event.id
  const first = await begin(event, idOf('Child'))
  later(31 * MINUTE)
  await paying.finishPayments()
  const holder = { registrationId: first.registration.id, qrUuid: first.registration.qrUuid }
  const again = () => app.call(paymentApi.createCheckout, { payload: holder })
  const save = (child: object) => {
    const ticketTypes = [{ id: idOf('Adult') }, { id: idOf('Child'), ...child }]
    return app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token)
  }
  await save({ saleClosesAt: app.clock.now })
  await refusalOf(again(), 'REGISTRATION_CLOSED')
  await save({ saleClosesAt: null })
  const offSale = { payload: { eventId, ticketTypes: [{ id: idOf('Adult') }] } }
  await app.call(ticketTypeApi.saveTicketTypes, offSale, token)
  await refusalOf(again(), 'REGISTRATION_CLOSED')
})

test('of colleagues who edit the list at once one is heard, and the others are told', async () => {
  const { event, token } = await withTypes()
  const eventId = event.id
  const types = await app.call(ticketTypeApi.getTicketTypes, { eventId })
  const seen = types.map(({ id, version }) => ({ id, version }))
  const ids = types.map(({ id }) => ({ id }))
  const edits = Array.from({ length: 10 }, (_, n) => {
    const payload = { eventId, seen, ticketTypes: [...ids, { name: `Colleague ${n}` }] }
    return app.call(ticketTypeApi.saveTicketTypes, { payload }, token)
  })
  expect(await countOutcomes(edits)).toEqual({ ok: 1, EDIT_CONFLICT: 9 })
  expect(await app.call(ticketTypeApi.getTicketTypes, { eventId })).toHaveLength(3)
})

test('the same key with another ticket is another request', async () => {
  const { event, idOf } = await withTypes()
  const request = registrationFor(event, { idempotencyKey: 'k' })
  const ask = (ticketTypeId: number) =>
    app.call(registrationApi.initRegistration, {
      ...request,
      newRegistration: { ...request.newRegistration, ticketTypeId },
    })
  const first = await ask(idOf('Child'))
  expect((await ask(idOf('Child'))).savedRegistration.id).toBe(first.savedRegistration.id)
  await refusalOf(ask(idOf('Adult')), 'IDEMPOTENCY_MISMATCH')
})

test('a currency in which one of several tickets could not be paid is refused', async () => {
  const { event, token } = await withTypes({ name: 'Programme', price: 60 }, { name: 'Helper', price: 0 })
  const save = (fields: object) => app.call(eventApi.save, { id: event.id, ...fields }, token)
  const refusal = await refusalOf(save({ currency: 'pln' }), 'INVALID_INPUT')
  expect(refusal.fields.map(({ path, msg }) => `${path}: ${msg()}`)).toEqual([
    expect.stringMatching(/^currency: “Programme”: /),
  ])
  expect((await app.call(eventApi.getEvent, { eventId: event.id })).currency).toBe('eur')
  expect((await save({ currency: 'usd' })).currency).toBe('usd')
})

test('an event with one ticket changes its currency and its price at once', async () => {
  const { event, token } = await pricedFixture()
  const saved = await app.call(eventApi.save, { id: event.id, currency: 'huf', ticketPrice: 200_000 }, token)
  expect(saved).toMatchObject({ currency: 'huf', ticketPrice: 200_000 })
})
