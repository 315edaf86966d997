import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { club as clubSchema, visitorClubApi } from '../../src/contract/club.ts'
import { doorApi } from '../../src/contract/door.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import { eventApi } from '../../src/contract/events.ts'
import { orderApi } from '../../src/contract/orders.ts'
import { visitorVoucherApi } from '../../src/contract/redemptions.ts'
import { type Registration, registrationApi } from '../../src/contract/registrations.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { shortCode } from '../../src/contract/values/ticket-codes.ts'
import { composeMail } from '../../src/server/compose-mail.ts'
import { eraseFormerHolders, erasePeople } from '../../src/server/retention/queries.ts'
import { makeExtras, makeFixture, makeForm, makeRegistration, registrationFor, scanOf } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { refusalOf } from '../support/outcomes.ts'
import { until } from '../support/serve.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'
import { countWaiting } from '../support/waiting.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp({ settings: { limits: false } })
})
afterEach(async () => {
  await verify(app.deps.db)
  await app.stop()
})

type Ticket = Pick<Registration, 'id' | 'qrUuid'>
type Person = Input<typeof ticketApi.handOn>['payload']['registrationData']

const BO: Person = { name: 'Bo', email: 'bo@example.org', phone: '030 7654321', others: [] }
/** Deletes the personal data of a registration and of all who had it before, as when an event's data are deleted. */
const eraseAll = (id: number) =>
  app.deps.db.transaction().execute(async (tx) => {
    await eraseFormerHolders(tx, [id])
    await erasePeople(tx, [id], app.clock.now)
  })
const handOn = ({ id: registrationId, qrUuid }: Ticket, person: Partial<Person> = {}) =>
  app.call(ticketApi.handOn, { payload: { registrationId, qrUuid, registrationData: { ...BO, ...person } } })
const read = ({ id: registrationId, qrUuid }: Ticket) => app.call(ticketApi.getRegistration, { registrationId, qrUuid })

/** The ticket as its present holder has it. */
async function current({ id }: Ticket): Promise<Registration> {
  const row = await app.deps.db
    .selectFrom('registrations')
    .select('qrUuid')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return (await read({ id, qrUuid: row.qrUuid })).registration
}

/** The mails since the last time; `all` is everything in them, with the lines of calendar files joined again. */
async function mails() {
  await app.finishMails()
  return app.sent.splice(0).map(({ to, subject, text, html, attachments = [] }) => {
    const files = attachments.map(({ content }) => content.toString().replace(/\r?\n /g, ''))
    return { to, subject, text, all: [text, html, ...files].join() }
  })
}

test('a ticket handed on has a new code, the former one is void everywhere, and both people are told', async () => {
  const { event, token } = await makeFixture(app)
  const ticket = await makeRegistration(app, event, { name: 'Ada', email: 'ada@example.org' })
  await mails()
  await handOn(ticket)
  const now = await current(ticket)
  expect(now.qrUuid).not.toBe(ticket.qrUuid)
  expect(now.registrationData).toMatchObject({ name: 'Bo', email: 'bo@example.org', phone: '+49307654321' })
  const sent = await mails()
  expect(sent.map(({ to, subject }) => [to, subject]).sort()).toEqual([
    ['ada@example.org', 'A ticket was given to somebody else: Summer party'],
    ['bo@example.org', 'Your ticket: Summer party'],
  ])
  const [toAda, toBo] = sent.sort((a, b) => a.to.localeCompare(b.to))
  expect(toAda?.all).toContain(ticket.qrUuid)
  expect(toAda?.all).not.toContain(now.qrUuid)
  expect(toAda?.text).toContain('The ticket of Ada for “Summer party” was given to somebody else.')
  expect(toAda?.text).toContain(`Its code ${shortCode(ticket)} is void`)
  expect(toAda?.text).not.toMatch(/Bo|bo@example\.org|\/qr\//)
  expect(toBo?.text).toContain(`/qr/${now.id}/${now.qrUuid}`)
  expect(toBo?.text).toContain('Somebody gave you this ticket')
  for (const call of [read, handOn])
    expect((await refusalOf(call(ticket), 'TICKET_HANDED_ON')).message).toContain('given to somebody else')
  const held = { registrationId: ticket.id, qrUuid: ticket.qrUuid }
  await refusalOf(app.call(ticketApi.giveBack, { payload: held }), 'TICKET_HANDED_ON')
  await refusalOf(app.call(checkinApi.scanByRegistrationId, scanOf(ticket), token), 'TICKET_HANDED_ON')
  const typed = { payload: { ...scanOf(ticket).payload, qrCodeData: shortCode(ticket) } }
  await refusalOf(app.call(checkinApi.scanByRegistrationId, typed, token), 'TICKET_HANDED_ON')
  await app.call(checkinApi.scanByRegistrationId, scanOf(now), token)
  const timeline = await app.call(attendeeApi.getTimeline, { registrationId: ticket.id, eventId: event.id }, token)
  expect(timeline.map(({ text, by }) => [text, by])).toContainEqual([
    'Ada gave the ticket to Bo, with a new code',
    null,
  ])
  expect(timeline.map(({ text }) => text).join()).not.toContain('ada@example.org')
})

test('the timeline names who gave a ticket to whom each time, until their names are deleted', async () => {
  const { event, token } = await makeFixture(app)
  const ticket = await makeRegistration(app, event, { name: 'Ada' })
  await handOn(ticket)
  app.clock.now = new Date(app.clock.now.getTime() + 1)
  await handOn(await current(ticket), { name: 'Cy', email: 'cy@example.org' })
  const handOns = async () => {
    const timeline = await app.call(attendeeApi.getTimeline, { registrationId: ticket.id, eventId: event.id }, token)
    return timeline.map(({ text }) => text).filter((text) => /gave the ticket|Given/.test(text))
  }
  expect(await handOns()).toEqual([
    'Bo gave the ticket to Cy, with a new code',
    'Ada gave the ticket to Bo, with a new code',
  ])
  // The name that Cy goes by later was never given a ticket.
  const held = await current(ticket)
  const registrationData = { name: 'Somebody', phone: BO.phone, others: [] }
  app.clock.now = new Date(app.clock.now.getTime() + 1)
  await app.call(ticketApi.correct, { payload: { registrationId: held.id, qrUuid: held.qrUuid, registrationData } })
  expect(await handOns()).toEqual([
    'Given to somebody else, with a new code',
    'Ada gave the ticket to Bo, with a new code',
  ])
  await eraseAll(ticket.id)
  expect(await handOns()).toEqual(Array(2).fill('Given to somebody else, with a new code'))
})

test('whoever has a former code learns of which event and club it was, and nothing else of them', async () => {
  const { club, event } = await makeFixture(app)
  const ticket = await makeRegistration(app, event)
  await handOn(ticket)
  const { payload } = await refusalOf(read(ticket), 'TICKET_HANDED_ON')
  const seen = await app.call(visitorClubApi.getClub, { clubId: club.id })
  expect(payload).toEqual({
    club: z.encode(clubSchema, seen),
    event: { id: event.id, clubId: club.id, name: event.name },
  })
})

test('phones at the door get the new code, and the former one is none of theirs', async () => {
  const { event, token } = await makeFixture(app)
  const ticket = await makeRegistration(app, event, { name: 'Ada' })
  const list = (since?: string) => app.call(doorApi.getDoorList, { eventId: event.id, ...(since && { since }) }, token)
  const before = await list()
  await handOn(ticket)
  const after = await list(before.cursor)
  const [one, other] = [before, after].map(({ tickets }) => tickets.find(({ id }) => id === ticket.id))
  expect(other).toMatchObject({ name: 'Bo' })
  expect(other?.hash).not.toBe(one?.hash)
})

test('its vouchers go with it and get new codes too', async () => {
  const { event, token } = await makeFixture(app)
  const extras = await makeExtras(app, token, event.id)
  const { savedRegistration: ticket } = await app.call(registrationApi.initRegistration, {
    ...registrationFor(event),
    extrasIds: [extras.id],
  })
  const [before] = (await read(ticket)).extras
  await handOn(ticket)
  const [after] = (await read(await current(ticket))).extras
  const open = (voucher = before) =>
    app.call(visitorVoucherApi.getVoucher, { extrasPurchaseId: voucher?.id ?? 0, qrUuid: voucher?.qrUuid ?? '' })
  expect(after?.id).toBe(before?.id)
  await refusalOf(open(before), 'NOT_FOUND')
  expect((await open(after)).holder).toBe('Bo')
})

test('handed on several times at once, it goes to one person, and nothing that the former holder does meanwhile counts', async () => {
  const { event } = await makeFixture(app)
  const ticket = await makeRegistration(app, event, { name: 'Ada' })
  const held = { registrationId: ticket.id, qrUuid: ticket.qrUuid }
  const waits = (count: number) =>
    until(async () => (await countWaiting(app.deps.db)) >= count, 10_000, `${count} wait for the ticket`)
  // All of them have proven the code before the first one changes it.
  const { first, others } = await app.deps.db.transaction().execute(async (tx) => {
    await tx.selectFrom('registrations').select('id').where('id', '=', ticket.id).forUpdate().execute()
    const first = handOn(ticket)
    await waits(1)
    const registrationData = { name: 'Ada L.', phone: '030 7654321', others: [] }
    const others = [
      handOn(ticket, { name: 'Cy', email: 'cy@example.org' }),
      app.call(ticketApi.giveBack, { payload: held }),
      app.call(ticketApi.correct, { payload: { ...held, registrationData } }),
    ].map((call) => refusalOf(call, 'TICKET_HANDED_ON'))
    await waits(4)
    return { first, others }
  })
  await first
  await Promise.all(others)
  expect(await current(ticket)).toMatchObject({ status: 'confirmed', registrationData: { name: 'Bo' } })
})

test('it is refused after the deadline, once used, unpaid or cancelled, where the club forbids it, and for members’ tickets', async () => {
  const correctionsUntil = new Date('2026-11-25T12:00:00Z')
  const { event, token } = await makeFixture(app, { correctionsUntil })
  const [used, unpaid, returned, ticket] = [
    await makeRegistration(app, event),
    await makeRegistration(app, event),
    await makeRegistration(app, event),
    await makeRegistration(app, event),
  ]
  await app.call(checkinApi.scanByRegistrationId, scanOf(used), token)
  await refusalOf(handOn(used), 'ALREADY_CHECKED_IN')
  await app.deps.db
    .updateTable('registrations')
    .set({ status: 'pending', holdExpiresAt: event.endsAt })
    .where('id', '=', unpaid.id)
    .execute()
  await refusalOf(handOn(unpaid), 'TICKET_UNPAID')
  await app.deps.db
    .updateTable('registrations')
    .set({ status: 'confirmed', holdExpiresAt: null })
    .where('id', '=', unpaid.id)
    .execute()
  await app.call(ticketApi.giveBack, { payload: { registrationId: returned.id, qrUuid: returned.qrUuid } })
  await refusalOf(handOn(returned), 'TICKET_CANCELLED')
  expect(await read(ticket)).toMatchObject({ canHandOn: true, handOnNote: null })
  await app.call(eventApi.save, { id: event.id, allowsHandOn: false }, token)
  expect((await refusalOf(handOn(ticket), 'HAND_ON_CLOSED')).message).toContain('cannot be given')
  expect(await read(ticket)).toMatchObject({ canHandOn: false, handOnNote: null })
  await app.call(eventApi.save, { id: event.id, allowsHandOn: true }, token)
  const [type] = await app.call(ticketTypeApi.getTicketTypes, { eventId: event.id }, token)
  const change = (access: 'public' | 'member') => {
    const ticketTypes = [{ id: type?.id, name: 'Ticket', access }]
    return app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId: event.id, ticketTypes } }, token)
  }
  await change('member')
  expect((await refusalOf(handOn(ticket), 'HAND_ON_CLOSED')).message).toContain('members')
  const { canHandOn, handOnNote } = await read(ticket)
  expect([canHandOn, handOnNote]).toEqual([false, expect.stringContaining('for members')])
  await change('public')
  app.clock.now = correctionsUntil
  await refusalOf(handOn(ticket), 'HAND_ON_CLOSED')
  expect(await read(ticket)).toMatchObject({ canHandOn: false, handOnNote: expect.stringContaining('too late') })
  app.clock.now = event.endsAt
  expect(await read(ticket)).toMatchObject({ canHandOn: false, handOnNote: null })
})

test('the new person answers the questions, is not registered twice, and has no more tickets than an address may have', async () => {
  const { event, token } = await makeFixture(app, { maxPerEmail: 2 })
  const [meal] = await makeForm(app, token, event.id, [
    { typeId: 2, text: 'Meal', required: true, options: ['Fish', 'Rice'] },
  ])
  const qId = meal?.id ?? 0
  const others = [{ qId, answer: 'Fish' }]
  const ticket = await makeRegistration(app, event, { name: 'Ada', others })
  await refusalOf(handOn(ticket), 'INVALID_INPUT')
  await makeRegistration(app, event, { name: 'Bo', email: 'bo@example.org', others })
  await refusalOf(handOn(ticket, { others }), 'ALREADY_REGISTERED')
  await makeRegistration(app, event, { name: 'Cy', email: 'bo@example.org', others })
  await refusalOf(handOn(ticket, { name: 'Di', others }), 'EMAIL_LIMIT')
  await handOn(ticket, { email: 'free@example.org', others: [{ qId, answer: 'Rice' }] })
  expect((await current(ticket)).registrationData.others).toMatchObject([{ qId, answer: 'Rice' }])
})

test('a repeated registration of the former holder does not learn the new code', async () => {
  const { event } = await makeFixture(app)
  const request = { ...registrationFor(event), idempotencyKey: 'once' }
  const { savedRegistration } = await app.call(registrationApi.initRegistration, request)
  await handOn(savedRegistration)
  await refusalOf(app.call(registrationApi.initRegistration, request), 'IDEMPOTENCY_MISMATCH')
})

test('of an order, each ticket but the contact’s can be handed on, and the contact hears of those without an address', async () => {
  const { event } = await makeFixture(app)
  const request = {
    ...registrationFor(event, { name: 'Ada', email: 'ada@example.org' }),
    companions: [companion({ name: 'Bea' }), companion({ name: 'Cy', email: 'cy@example.org' })],
    idempotencyKey: 'once',
  }
  const { order, registrations = [] } = await app.call(registrationApi.initRegistration, request)
  const [contact, bea, cy] = registrations
  if (!order || !contact || !bea || !cy) throw new Error('The order has three tickets.')
  await mails()
  expect((await refusalOf(handOn(contact), 'HAND_ON_CLOSED')).message).toContain('several people')
  expect((await read(contact)).handOnNote).toContain('several people')
  const tickets = async () => (await app.call(orderApi.getOrder, { orderId: order.id, secret: order.secret })).tickets
  expect((await tickets()).map((ticket) => ticket.canHandOn)).toEqual([false, true, true])
  await handOn(bea, { phone: '' })
  await handOn(cy, { name: 'Di', email: 'di@example.org' })
  // Neither by the page, nor by repeating the request, does the contact learn the new codes.
  const [, ofBo, ofDi] = await tickets()
  expect(ofBo).toMatchObject({
    isHandedOn: true,
    canHandOn: false,
    registration: { qrUuid: '', registrationData: { name: 'Bo', email: '', phone: '', others: [] } },
  })
  expect((await app.call(registrationApi.initRegistration, request)).registrations?.[1]?.qrUuid).toBe('')
  const back = { orderId: order.id, secret: order.secret, registrationIds: [ofDi?.registration.id ?? 0] }
  await refusalOf(app.call(orderApi.giveBackTickets, { payload: back }), 'NOT_FOUND')
  const told = (await mails()).filter(({ subject }) => subject.includes('given to somebody else'))
  expect(told.map(({ to }) => to).sort()).toEqual(['ada@example.org', 'cy@example.org'])
  expect(told.find(({ to }) => to === 'ada@example.org')?.text).toContain('The ticket of Bea')
  // The contact's tickets, asked for again, are their own.
  await app.call(registrationApi.findTicket, { payload: { eventId: event.id, email: 'ada@example.org' } })
  const [again] = await mails()
  expect(again?.text).toContain('/qr/')
  expect(again?.text).not.toMatch(/Bo|Di/)
})

test('mails that waited for the former holder tell no new code, and none of them proves the new address', async () => {
  const { event } = await makeFixture(app)
  const first = await makeRegistration(app, event, { name: 'Ada', email: 'ada@example.org' })
  const second = await makeRegistration(app, event, { name: 'Ben', email: 'ada@example.org' })
  await handOn(second)
  const now = await current(second)
  const sent = await mails()
  const toAda = sent.filter(({ to }) => to === 'ada@example.org').map(({ text }) => text)
  expect(toAda.join()).toContain(`/qr/${first.id}/${first.qrUuid}`)
  expect(toAda.join()).not.toContain(now.qrUuid)
  const { messageId } = await app.deps.db
    .selectFrom('mails')
    .select('messageId')
    .where('registrationId', '=', now.id)
    .where('recipient', 'is not', null)
    .executeTakeFirstOrThrow()
  await app.deps.db
    .updateTable('mails')
    .set({ status: 'sent', sentAt: app.clock.now })
    .where('messageId', '=', messageId)
    .execute()
  await app.call(ticketApi.noteOpened, {
    payload: { registrationId: now.id, qrUuid: now.qrUuid, mailId: messageId },
  })
  const proven = await app.deps.db
    .selectFrom('mailAddresses')
    .select('provenAt')
    .where('provenAt', 'is not', null)
    .execute()
  expect(proven).toEqual([])
})

test('a mail that was joined with others before one of their tickets was handed on leaves that one out', async () => {
  const { event } = await makeFixture(app)
  const first = await makeRegistration(app, event, { name: 'Ada', email: 'ada@example.org' })
  const second = await makeRegistration(app, event, { name: 'Ben', email: 'ada@example.org' })
  const rows = await app.deps.db.selectFrom('mails').selectAll().orderBy('id').execute()
  app.clock.now = new Date(app.clock.now.getTime() + 1000)
  await handOn(second)
  const [lead, ...followers] = rows
  if (!lead) throw new Error('Both tickets have a mail.')
  const { mail, dropped } = await composeMail(app.deps, { lead, followers })
  expect(mail?.text).toContain(first.qrUuid)
  expect(mail?.text).not.toContain((await current(second)).qrUuid)
  expect(dropped).toEqual(followers.map(({ id }) => id))
})

test('a ticket is handed on five times, and what is known of its former holders is deleted with the rest', async () => {
  const { event } = await makeFixture(app)
  const ticket = await makeRegistration(app, event, { name: 'Ada' })
  for (const n of [1, 2, 3, 4, 5]) await handOn(await current(ticket), { name: `P${n}`, email: `p${n}@example.org` })
  await refusalOf(handOn(await current(ticket), { email: 'p6@example.org' }), 'HAND_ON_CLOSED')
  const { canHandOn, handOnNote } = await read(await current(ticket))
  expect([canHandOn, handOnNote]).toEqual([false, expect.stringContaining('several times')])
  await eraseAll(ticket.id)
  expect(await app.deps.db.selectFrom('formerHolders').selectAll().execute()).toEqual([])
})
