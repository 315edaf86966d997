import { randomUUID } from 'node:crypto'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import { orderApi } from '../../src/contract/orders.ts'
import { type Companion, registrationApi } from '../../src/contract/registrations.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import {
  makeEvent,
  makeExtras,
  makeFixture,
  makeForm,
  makeRegistration,
  registrationFor,
  scanOf,
} from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { atOnce, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
beforeEach(async () => {
  app = await startApp({ settings: { limits: false } })
  fixture = await makeFixture(app, { maxAttendees: 6, maxPerEmail: 10 })
})
afterEach(async () => {
  await verify(app.deps.db)
  await app.stop()
})

type Request = Input<typeof registrationApi.initRegistration>

/** Registers somebody with these companions. */
async function register(companions: Companion[], more: Partial<Request> = {}, server = app) {
  const answer = await server.call(registrationApi.initRegistration, {
    ...registrationFor(fixture.event),
    companions,
    ...more,
  })
  if (!answer.order || !answer.registrations) throw new Error('An order is answered as one.')
  return { ...answer, order: answer.order, registrations: answer.registrations }
}
const people = (count: number) => Array.from({ length: count }, () => companion())
const read = ({ id, secret }: { id: number; secret: string }) => app.call(orderApi.getOrder, { orderId: id, secret })
const giveBack = ({ id, secret }: { id: number; secret: string }, registrationIds: number[]) =>
  app.call(orderApi.giveBackTickets, { payload: { orderId: id, secret, registrationIds } })
const saveTypes = (...ticketTypes: Input<typeof ticketTypeApi.saveTicketTypes>['payload']['ticketTypes']) =>
  app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId: fixture.event.id, ticketTypes } }, fixture.token)
const taken = async () => {
  const row = await app.deps.db.selectFrom('events').selectAll().where('id', '=', fixture.event.id).executeTakeFirst()
  return row?.registrationCount
}

test('several people are registered together, and their order has all tickets', async () => {
  const { savedRegistration, order, registrations } = await register([
    companion({ name: 'Bea' }),
    companion({ name: 'Cy', email: 'cy@example.org' }),
  ])
  const { email } = savedRegistration.registrationData
  expect(registrations).toMatchObject([
    { id: savedRegistration.id, status: 'confirmed' },
    { registrationData: { name: 'Bea', email } },
    { registrationData: { name: 'Cy', email: 'cy@example.org' } },
  ])
  expect(registrations.every(({ orderId }) => orderId === savedRegistration.id)).toBe(true)
  expect(order).toMatchObject({
    id: savedRegistration.id,
    contact: { email },
    status: 'confirmed',
    amount: 0,
    holdExpiresAt: null,
  })
  const page = await read(order)
  expect(page.order).toEqual(order)
  expect(page.tickets.map(({ registration }) => registration)).toEqual(registrations)
  // The ticket of each stays as it is.
  const { id: registrationId, qrUuid } = registrations[1] ?? savedRegistration
  expect(await app.call(ticketApi.getRegistration, { registrationId, qrUuid })).toMatchObject({
    registration: { orderId: order.id, registrationData: { name: 'Bea' } },
  })
})

test('somebody alone is an order of one, whose secret is that of the ticket', async () => {
  const { order } = await register([])
  const [only] = (await read(order)).tickets
  expect([only?.registration.id, only?.registration.qrUuid]).toEqual([order.id, order.secret])
  // Without companions the answer is as it always was.
  const plain = await app.call(registrationApi.initRegistration, registrationFor(fixture.event))
  expect(Object.keys(plain).sort()).toEqual(['checkoutUrl', 'clientSecret', 'savedRegistration'])
  expect(plain.savedRegistration.orderId).toBe(plain.savedRegistration.id)
  await app.call(ticketApi.giveBack, {
    payload: { registrationId: order.id, qrUuid: order.secret },
  })
  expect((await read(order)).order.status).toBe('cancelled')
})

describe('all get their seats, or nobody does', () => {
  test('with fewer places left than people', async () => {
    await register(people(3))
    const refusal = await refusalOf(register(people(2)), 'SOLD_OUT')
    expect(refusal.payload).toEqual({ left: 2, ticketTypeId: null })
    expect(refusal.message).toBe('Sorry, only 2 places are left.')
    expect(await taken()).toBe(4)
    // An order that fits still gets them.
    await register(people(1))
    expect((await refusalOf(register(people(1)), 'SOLD_OUT')).payload).toEqual({ left: 0, ticketTypeId: null })
    expect(await taken()).toBe(6)
  })

  test('with fewer tickets of a type left', async () => {
    const [adult, child] = await saveTypes(
      { id: (await firstType()).id, name: 'Adult' },
      { name: 'Child', maxQuantity: 2 },
    )
    const children = (count: number) =>
      Array.from({ length: count }, () => companion(child && { ticketTypeId: child.id }))
    const refusal = await refusalOf(register(children(3)), 'SOLD_OUT')
    expect(refusal.payload).toEqual({ left: 2, ticketTypeId: child?.id })
    expect(refusal.message).toBe('Sorry, only 2 tickets “Child” are left.')
    expect(await taken()).toBe(0)
    const { order } = await register(children(2))
    expect((await read(order)).tickets.map(({ ticketType }) => ticketType?.name)).toEqual(['Adult', 'Child', 'Child'])
    const types = await app.call(ticketTypeApi.getTicketTypes, { eventId: fixture.event.id })
    expect(types.map(({ id, soldCount }) => [id, soldCount])).toEqual([
      [adult?.id, 1],
      [child?.id, 2],
    ])
  })

  test('with too few vouchers', async () => {
    const drink = await makeExtras(app, fixture.token, fixture.event.id, { price: 0, maxQuantity: 2 })
    const thirsty = () => companion({ extrasIds: [drink.id] })
    const refusal = await refusalOf(register([thirsty(), thirsty(), thirsty()]), 'VOUCHER_SOLD_OUT')
    expect(refusal.payload).toEqual({ extrasId: drink.id, left: 2 })
    expect(await taken()).toBe(0)
    const { order } = await register([thirsty(), thirsty()])
    expect((await read(order)).tickets.map(({ voucherCount }) => voucherCount)).toEqual([0, 1, 1])
    await refusalOf(register([thirsty()]), 'VOUCHER_SOLD_OUT')
  })

  test('with a second person of one name and address, whom the refusal names', async () => {
    const request = registrationFor(fixture.event, { name: 'Ada', email: 'ada@example.org' })
    const refusal = await refusalOf(register([companion(), companion({ name: 'ada' })], request), 'ALREADY_REGISTERED')
    expect(refusal.fields.map(({ path, msg }) => [path, msg()])).toEqual([
      ['companions.1.registrationData.name', 'ada is already registered with this e-mail address.'],
    ])
    expect(await taken()).toBe(0)
  })

  test('with somebody at another address, who gets their ticket again and of whom nothing is told', async () => {
    const cy = { name: 'Cy', email: 'cy@example.org' }
    await makeRegistration(app, fixture.event, cy)
    await app.finishMails()
    const refusal = await refusalOf(register([companion(), companion(cy)]), 'ALREADY_REGISTERED')
    expect([refusal.fields, refusal.message]).toEqual([[], expect.stringContaining('If one of these people')])
    await app.finishMails()
    expect(app.sent.map(({ to }) => to)).toEqual(['cy@example.org', 'cy@example.org'])
    // An order that has no place anyway says only that.
    await refusalOf(register([companion(cy), ...people(9)]), 'SOLD_OUT')
    const twice = await refusalOf(
      register([companion(cy), companion({ name: 'Bo' }), companion({ name: 'Bo' })]),
      'ALREADY_REGISTERED',
    )
    expect(twice.fields).toMatchObject([{ path: 'companions.2.registrationData.name' }])
    expect(await taken()).toBe(1)
  })

  test('with more places than an address may have', async () => {
    fixture.event = await makeEvent(app, fixture.token, { maxPerEmail: 2 })
    const refusal = await refusalOf(register([companion({ name: 'Bea' }), companion({ name: 'Cy' })]), 'EMAIL_LIMIT')
    expect(refusal.fields.map(({ path, msg }) => [path, msg()])).toMatchObject([
      ['companions.1.registrationData.email', expect.stringContaining('an address of their own for Cy')],
    ])
    await register([companion(), companion({ email: 'cy@example.org' })])
    expect(await taken()).toBe(3)
  })

  test('when many orders ask two servers at once', async () => {
    fixture.event = await makeEvent(app, fixture.token, { maxAttendees: 31, maxPerEmail: 10 })
    const [, child] = await saveTypes({ id: (await firstType()).id }, { name: 'Child', maxQuantity: 8 })
    const other = await app.another()
    const sizes = Array.from({ length: 60 }, (_, n) => 1 + ((n * 7) % 6))
    const companionsOf = (size: number) =>
      Array.from({ length: size - 1 }, (_, k) => companion(child && k % 3 === 0 ? { ticketTypeId: child.id } : {}))
    const outcomes = await Promise.allSettled(
      atOnce(sizes, 20, (size) => register(companionsOf(size), {}, size % 2 === 0 ? app : other)),
    )
    const orders = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const seats = orders.reduce((sum, { registrations }) => sum + registrations.length, 0)
    expect(await taken()).toBe(seats)
    expect(seats).toBe(31)
    for (const { order, registrations } of orders)
      expect((await read(order)).tickets).toHaveLength(registrations.length)
  })
})

async function firstType() {
  const [first] = await app.call(ticketTypeApi.getTicketTypes, { eventId: fixture.event.id })
  if (!first) throw new Error('An event has a ticket type.')
  return first
}

describe('a repeated key', () => {
  test('is the same order, with the same answer', async () => {
    const request = { ...registrationFor(fixture.event), idempotencyKey: randomUUID() }
    const companions = people(2)
    const answers = await Promise.all(atOnce([1, 2, 3, 4, 5], 5, () => register(companions, request)))
    for (const { registrations } of answers) expect(registrations).toEqual(answers[0]?.registrations)
    expect(await taken()).toBe(3)
  })

  test('with other people is refused', async () => {
    const request = { ...registrationFor(fixture.event), idempotencyKey: randomUUID() }
    const [one, other] = people(2)
    await register(one ? [one] : [], request)
    await refusalOf(register(other ? [other] : [], request), 'IDEMPOTENCY_MISMATCH')
    await refusalOf(app.call(registrationApi.initRegistration, request), 'IDEMPOTENCY_MISMATCH')
    expect(await taken()).toBe(2)
  })
})

test('what is wrong about somebody is said by the name of the field', async () => {
  const [meal] = await makeForm(app, fixture.token, fixture.event.id, [
    { typeId: 2, text: 'Meal', required: true, options: ['Fish', 'Rice'] },
  ])
  const answer = (qId = meal?.id ?? 0) => [{ qId, answer: 'Fish' }]
  const own = registrationFor(fixture.event, { others: answer() })
  const pathsOf = async (...companions: Companion[]) =>
    (await refusalOf(register(companions, own), 'INVALID_INPUT')).fields.map(({ path }) => path)
  const fine = companion({ others: answer() })
  expect(await pathsOf(fine, companion())).toEqual(['companions.1.registrationData.others.0.answer'])
  expect(await pathsOf(fine, companion({ others: answer(), ticketTypeId: 999_999 }))).toEqual([
    'companions.1.ticketTypeId',
  ])
  expect(await pathsOf(companion({ others: answer(), extrasIds: [999_999] }))).toEqual(['companions.0.extrasIds.0'])
  expect(await pathsOf(companion({ others: answer(), name: 'www.example.org' }))).toEqual([
    'companions.0.registrationData.name',
  ])
  const { registrations } = await register([fine], own)
  expect(registrations[1]?.registrationData.others).toMatchObject([{ question: 'Meal', answer: 'Fish' }])
})

test('a companion needs no phone number where the form asks for one', async () => {
  fixture.event = await makeEvent(app, fixture.token, { phoneField: 'required' })
  const { registrations } = await register([companion()])
  expect(registrations[1]?.registrationData.phone).toBe('')
  const [, other] = registrations
  if (!other) throw new Error('There are two of them.')
  const correction = { name: 'Bo', phone: '', others: [] }
  const payload = { registrationId: other.id, qrUuid: other.qrUuid, registrationData: correction }
  expect((await app.call(ticketApi.correct, { payload })).registrationData).toMatchObject({ name: 'Bo', phone: '' })
})

test('more than twenty people are refused', async () => {
  await refusalOf(register(people(20)), 'INVALID_INPUT')
})

describe('the mails', () => {
  test('the contact gets one with all tickets, and whoever has an address of their own gets theirs', async () => {
    const request = registrationFor(fixture.event, { name: 'Ada', email: 'ada@example.org' })
    const { registrations, order } = await register(
      [companion({ name: 'Bea' }), companion({ name: 'Cy', email: 'cy@example.org' })],
      request,
    )
    await app.finishMails()
    expect(app.sent.map(({ to }) => to).sort()).toEqual(['ada@example.org', 'cy@example.org'])
    const [toAda, toCy] = ['ada@example.org', 'cy@example.org'].map((to) => app.sent.find((mail) => mail.to === to))
    for (const { id, qrUuid } of registrations) expect(toAda?.text).toContain(`/qr/${id}/${qrUuid}`)
    expect(toAda?.text).toContain(`/order/${order.id}/${order.secret}`)
    expect(await pagesOf(toAda)).toBe(3)
    const [ada, , cy] = registrations
    expect(toCy?.text).toContain(`/qr/${cy?.id}/`)
    expect(toCy?.text).not.toContain(`/qr/${ada?.id}/`)
    expect(toCy?.text).not.toContain('/order/')
    expect(await pagesOf(toCy)).toBe(1)
  })

  test('one mail has the tickets of twenty people', async () => {
    fixture.event = await makeEvent(app, fixture.token, { maxPerEmail: 20 })
    await register(people(19))
    await app.finishMails()
    expect(app.sent).toHaveLength(1)
    expect(await pagesOf(app.sent[0])).toBe(20)
  })

  test('companions get their tickets even if the contact gives their place back at once', async () => {
    const request = registrationFor(fixture.event, { email: 'ada@example.org' })
    const { order, registrations } = await register([companion({ name: 'Bea' })], request)
    await giveBack(order, [order.id])
    await app.finishMails()
    const tickets = app.sent.filter(({ subject }) => subject.startsWith('Your ticket'))
    expect(tickets.map(({ to }) => to)).toEqual(['ada@example.org'])
    expect(tickets[0]?.text).toContain(`/qr/${registrations[1]?.id}/`)
  })
})

async function pagesOf(mail: TestApp['sent'][number] | undefined): Promise<number> {
  return pagesIn(mail?.attachments?.find(({ contentType }) => contentType === 'application/pdf')?.content ?? [])
}

async function pagesIn(pdf: ArrayLike<number>): Promise<number> {
  return (await getDocument({ data: Uint8Array.from(pdf) }).promise).numPages
}

describe('giving tickets back', () => {
  test('those named are free again, and the others stay', async () => {
    const { order, registrations } = await register(people(2))
    const [, second, third] = registrations
    const back = await giveBack(order, [second?.id ?? 0])
    expect(back).toMatchObject([{ id: second?.id, status: 'cancelled', cancelReason: 'holder' }])
    expect(await taken()).toBe(2)
    // One that is no longer valid stops all of them.
    await refusalOf(giveBack(order, [second?.id ?? 0, third?.id ?? 0]), 'TICKET_CANCELLED')
    expect(await taken()).toBe(2)
    await giveBack(order, [order.id, third?.id ?? 0])
    expect(await taken()).toBe(0)
    expect((await read(order)).order).toMatchObject({ status: 'cancelled', amount: 0 })
  })

  test('whoever has an address of their own is told', async () => {
    const { order, registrations } = await register([companion({ email: 'cy@example.org' }), companion()])
    await app.finishMails()
    const before = app.sent.length
    await giveBack(
      order,
      registrations.map(({ id }) => id),
    )
    await app.finishMails()
    const told = app.sent.slice(before).filter(({ to }) => to === 'cy@example.org')
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('has given your place back')])
  })

  test('not those of another order, and not those that are in', async () => {
    const mine = await register(people(1))
    const other = await register(people(1))
    await refusalOf(giveBack(mine.order, [mine.order.id, other.order.id]), 'NOT_FOUND')
    const [, guest] = mine.registrations
    if (guest) await app.call(checkinApi.scanByRegistrationId, scanOf(guest), fixture.token)
    await refusalOf(
      giveBack(
        mine.order,
        mine.registrations.map(({ id }) => id),
      ),
      'ALREADY_CHECKED_IN',
    )
    expect(await taken()).toBe(4)
    expect((await read(mine.order)).tickets.map(({ checkin }) => checkin?.status ?? false)).toEqual([false, true])
  })
})

test('the PDF has the valid tickets, a page for each', async () => {
  const { order } = await register(people(2))
  const pages = async () => {
    const url = `${app.url}/api/order/getTicketsPdf?orderId=${order.id}&secret=${order.secret}`
    const answer = await fetch(url)
    return answer.ok ? pagesIn(new Uint8Array(await answer.arrayBuffer())) : (await answer.json()).code
  }
  expect(await pages()).toBe(3)
  await giveBack(order, [order.id])
  expect(await pages()).toBe(2)
  await giveBack(
    order,
    (await read(order)).tickets.slice(1).map(({ registration }) => registration.id),
  )
  expect(await pages()).toBe('TICKET_CANCELLED')
})

test('without its contact an order is opened by nobody', async () => {
  const { order, registrations } = await register([companion({ email: 'cy@example.org' })])
  const contact = { eventId: fixture.event.id, registrationId: order.id }
  await app.call(attendeeApi.removeRegistration, contact, fixture.token)
  await refusalOf(read(order), 'NOT_FOUND')
  const [, cy] = registrations
  if (!cy) throw new Error('There are two of them.')
  const { id: registrationId, qrUuid } = cy
  expect((await app.call(ticketApi.getRegistration, { registrationId, qrUuid })).registration.status).toBe('confirmed')
})
