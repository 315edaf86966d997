import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { clubMemberApi, type Member } from '../../src/contract/club-members.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { erasePeople } from '../../src/server/retention/queries.ts'
import { registrationFor } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { cancel, family } from '../support/paid-orders.ts'
import { app, bank, later, MINUTE, paying, setUpPayingApp, statusOf } from '../support/paying.ts'
import type { TestApp } from '../support/start-app.ts'

setUpPayingApp()

type Request = Input<typeof registrationApi.initRegistration>

const members: Member[] = [
  { number: '0042', email: 'Mia@Example.org' },
  { number: 'A 7', email: '' },
  { number: '', email: 'moe@example.org' },
]

/** A family's event whose children's ticket is for members: two for each. */
async function forMembers(maxPerMember = 2) {
  const fixture = await family()
  const { eventId, token } = fixture
  const upload = (list: readonly Member[]) =>
    app.call(clubMemberApi.saveMembers, { payload: { clubId: fixture.club.id, members: [...list] } }, token)
  const types = await app.call(ticketTypeApi.getTicketTypes, { eventId }, token)
  const terms = { access: 'member' as const, maxPerMember }
  const saveTypes = (fields: object) => {
    const ticketTypes = types.map(({ id, name }) => ({ id, ...(name === 'Child' && fields) }))
    return app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token)
  }
  await saveTypes(terms)
  await upload(members)
  return { ...fixture, upload, saveTypes, typeId: fixture.idOf('Child') }
}

function register(
  event: Event,
  ticketTypeId: number,
  memberId?: string,
  more: Partial<Request> = {},
  server: Pick<TestApp, 'call'> = app,
) {
  const request = registrationFor(event)
  const newRegistration = { ...request.newRegistration, ticketTypeId, ...(memberId !== undefined && { memberId }) }
  return server.call(registrationApi.initRegistration, { ...request, newRegistration, ...more })
}

test('a list is read as people write it, and only hashes are kept', async () => {
  const { club, token, event, typeId, upload } = await forMembers()
  const list = () => app.call(clubMemberApi.getMemberList, { clubId: club.id }, token)
  expect(await list()).toMatchObject({ size: 3 })
  for (const typed of [' 42 ', 'a7', 'MOE@example.org'])
    expect((await register(event, typeId, typed)).savedRegistration.status, typed).toBe('pending')
  const rows = await app.deps.db.selectFrom('clubMembers').selectAll().execute()
  expect(rows).toHaveLength(4)
  for (const { hash } of rows) expect(hash).toMatch(/^[\da-f]{64}$/)
  // Twice the same number is the same member.
  expect(await upload([...members, { number: '42', email: 'other@example.org' }])).toMatchObject({ size: 3 })
  const byAddress = { number: '', email: 'ann@example.org' }
  expect(await upload([byAddress, { number: '9', email: 'ann@example.org' }])).toMatchObject({ size: 1 })
  expect(await upload([])).toBeNull()
  expect(await list()).toBeNull()
  await refusalOf(register(event, typeId, '42'), 'NOT_A_MEMBER')
})

test('nobody but a member gets the ticket, which everybody sees', async () => {
  const { event, eventId, typeId, idOf } = await forMembers()
  const types = await app.call(ticketTypeApi.getTicketTypes, { eventId })
  expect(types.map(({ name, access }) => [name, access])).toEqual([
    ['Adult', 'public'],
    ['Child', 'member'],
    ['Baby', 'public'],
  ])
  const shown = await app.call(eventApi.getEventByEventIdnClubId, { eventId, clubId: event.clubId })
  expect(shown).toMatchObject({ ticketPrice: 0, ticketPriceTo: 2500, codes: 'none' })
  for (const [memberId, words] of [
    [undefined, 'Enter the member number'],
    ['', 'Enter the member number'],
    ['43', 'no member with this number'],
  ] as const) {
    const refusal = await refusalOf(register(event, typeId, memberId), 'NOT_A_MEMBER')
    expect([refusal.fields[0]?.path, refusal.message]).toEqual([
      'newRegistration.memberId',
      expect.stringContaining(words),
    ])
  }
  // With a ticket for everybody the number is ignored.
  await register(event, idOf('Adult'), '43')
})

test('a member has as many as the type says, whether by number or address, and gets one back with the place', async () => {
  const { event, eventId, typeId, token } = await forMembers()
  const first = await register(event, typeId, '42')
  await register(event, typeId, 'mia@example.org')
  const refusal = await refusalOf(register(event, typeId, '42'), 'NOT_A_MEMBER')
  expect(refusal.message).toBe('A member can have only 2 of these tickets.')
  await cancel(eventId, first.savedRegistration, token)
  await register(event, typeId, '42')
  // Holds that have ended count no more.
  later(31 * MINUTE)
  await paying.finishPayments()
  await register(event, typeId, '42')
})

test('each person of an order is a member of their own, or nobody gets a seat', async () => {
  const { event, typeId } = await forMembers(1)
  const child = (memberId: string) => ({ ...companion({ ticketTypeId: typeId }), memberId })
  const twice = await refusalOf(
    register(event, typeId, '42', { companions: [child('mia@example.org')] }),
    'NOT_A_MEMBER',
  )
  expect(twice.fields[0]?.path).toBe('companions.0.memberId')
  const unknown = await refusalOf(register(event, typeId, '42', { companions: [child('99')] }), 'NOT_A_MEMBER')
  expect(unknown.fields[0]?.path).toBe('companions.0.memberId')
  const { registrations } = await register(event, typeId, '42', { companions: [child('A7')] })
  expect(registrations).toHaveLength(2)
})

test('children with the address of a parent are members of their own, whatever the order of the list', async () => {
  const { event, typeId, upload } = await forMembers(1)
  const children = ['101', '102', '103'].map((number) => ({ number, email: 'parent@example.org' }))
  expect(await upload(children)).toMatchObject({ size: 3 })
  for (const { number } of children) await register(event, typeId, number)
  await upload([...children].reverse())
  for (const { number } of children) await refusalOf(register(event, typeId, number), 'NOT_A_MEMBER')
  await refusalOf(register(event, typeId, 'parent@example.org'), 'NOT_A_MEMBER')
})

test('whoever was on the list stays the same member when the list is replaced', async () => {
  const { event, typeId, upload } = await forMembers(1)
  await register(event, typeId, 'moe@example.org')
  // Moe gets a number, loses the address, and gets it back without the number.
  await upload([{ number: '77', email: 'moe@example.org' }])
  await refusalOf(register(event, typeId, '77'), 'NOT_A_MEMBER')
  await upload([{ number: '77', email: '' }])
  await refusalOf(register(event, typeId, '77'), 'NOT_A_MEMBER')
  await upload([{ number: '77', email: 'moe@example.org' }])
  await upload([{ number: '', email: 'moe@example.org' }])
  await refusalOf(register(event, typeId, 'moe@example.org'), 'NOT_A_MEMBER')
})

test('two lists uploaded at the same moment leave one of them whole', async () => {
  const { upload } = await forMembers()
  const lists = [100, 200].map((from) =>
    Array.from({ length: 50 }, (_, n) => ({ number: String(from + n), email: '' })),
  )
  await Promise.all(lists.map(upload))
  expect(await app.deps.db.selectFrom('clubMembers').selectAll().execute()).toHaveLength(50)
})

test('the number of a member of one club is nobody’s at another, and nothing of it is told or kept too long', async () => {
  const own = await forMembers()
  const other = await forMembers()
  await other.upload([{ number: '4711', email: '' }])
  await refusalOf(register(own.event, own.typeId, '4711'), 'NOT_A_MEMBER')
  const { savedRegistration } = await register(own.event, own.typeId, '42')
  const { hash = '' } = (await app.deps.db.selectFrom('clubMembers').select('hash').executeTakeFirst()) ?? {}
  const { eventId, token } = own
  const asked = { eventId, limit: 10, sortBy: 'registration' as const, searchKeyword: '' }
  const answers = [
    savedRegistration,
    await app.call(attendeeApi.getAttendees, asked, token),
    await app.call(clubMemberApi.getMemberList, { clubId: own.club.id }, token),
  ]
  expect(JSON.stringify(answers)).not.toMatch(new RegExp(`${hash}|"key"|"member"`))
  await app.deps.db.transaction().execute((tx) => erasePeople(tx, [savedRegistration.id], app.clock.now))
  const rows = await app.deps.db
    .selectFrom('registrations')
    .select('member')
    .where('id', '=', savedRegistration.id)
    .execute()
  expect(rows).toEqual([{ member: null }])
})

test('of several at the same moment, at two servers, a member gets as many as there may be', async () => {
  const { event, typeId } = await forMembers(2)
  const second = await app.another()
  // The type has four tickets.
  const outcomes = ['42', 'mia@example.org', '42', '42', 'mia@example.org'].map((id, index) =>
    register(event, typeId, id, {}, index % 2 === 0 ? app : second),
  )
  expect(await countOutcomes(outcomes)).toEqual({ ok: 2, NOT_A_MEMBER: 3 })
})

test('a hold that has ended is taken up again only while the member has no other', async () => {
  const { event, eventId, typeId, token } = await forMembers(1)
  const { savedRegistration: old } = await register(event, typeId, '42')
  later(31 * MINUTE)
  await register(event, typeId, 'mia@example.org')
  const { id: registrationId, qrUuid } = old
  const again = app.call(paymentApi.createCheckout, { payload: { registrationId, qrUuid } })
  expect((await refusalOf(again, 'SOLD_OUT')).message).toMatch('as many of these tickets by now')
  const confirm = { payload: { eventId, id: old.id, status: 'confirmed' as const } }
  await refusalOf(app.call(attendeeApi.updateStatus, confirm, token), 'SOLD_OUT')
})

test('money that comes too late for a member who has another ticket by then goes back', async () => {
  bank.behave({ webhooks: 'keep' })
  const { event, typeId } = await forMembers(1)
  const late = await register(event, typeId, '42')
  await bank.pay(/cs_test_\w+/.exec(late.checkoutUrl ?? '')?.[0] ?? '')
  later(31 * MINUTE)
  const { savedRegistration: other } = await register(event, typeId, '42')
  for (const { id, type } of bank.events) if (type === 'checkout.session.completed') await bank.deliver(id)
  await paying.finishPayments()
  expect([await statusOf(late.savedRegistration), await statusOf(other)]).toEqual(['cancelled', 'pending'])
  expect(bank.ledger()).toMatchObject([{ charged: 1000, refunded: 1000 }])
})

test('fewer tickets for each member leave those that there are, also when they are paid', async () => {
  const { event, typeId, saveTypes } = await forMembers(2)
  const answers = [await register(event, typeId, '42'), await register(event, typeId, '42')]
  await saveTypes({ maxPerMember: 1 })
  for (const { checkoutUrl } of answers) await bank.pay(/cs_test_\w+/.exec(checkoutUrl ?? '')?.[0] ?? '')
  for (const { savedRegistration } of answers) expect(await statusOf(savedRegistration)).toBe('confirmed')
  await saveTypes({ maxPerMember: 2 })
})

test('the database itself keeps a member from having more', async () => {
  const { event, typeId } = await forMembers(1)
  const { savedRegistration } = await register(event, typeId, '42')
  const twin = sql`
    insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time, status, amount, currency,
      member, ticket_type_id, hold_expires_at)
    select event_id, club_id, gen_random_uuid(), 'Twin', email, phone, others, '', registration_time, status, amount, currency, member, ticket_type_id, hold_expires_at
    from registrations where id = ${savedRegistration.id}
  `.execute(app.deps.db)
  await expect(twin).rejects.toThrow('too many tickets of a member')
})

test('a repeated request with another number is another request', async () => {
  const { event, typeId } = await forMembers(1)
  const request = { ...registrationFor(event), idempotencyKey: 'once' }
  const send = (memberId: string) =>
    app.call(registrationApi.initRegistration, {
      ...request,
      newRegistration: { ...request.newRegistration, ticketTypeId: typeId, memberId },
    })
  const first = await send('42')
  expect((await send('42')).savedRegistration.id).toBe(first.savedRegistration.id)
  await refusalOf(send('A7'), 'IDEMPOTENCY_MISMATCH')
})

test('only wrong numbers count as guesses, at their event alone', async () => {
  const { event, typeId } = await forMembers(20)
  const other = await forMembers()
  for (const id of ['42', 'A7', 'moe@example.org']) await register(event, typeId, id)
  for (let n = 0; n < 25; n++) await refusalOf(register(event, typeId, `9${n}`), 'NOT_A_MEMBER')
  later(2 * MINUTE)
  for (let n = 0; n < 25; n++) await refusalOf(register(event, typeId, `8${n}`), 'NOT_A_MEMBER')
  later(2 * MINUTE)
  for (let n = 0; n < 10; n++) await refusalOf(register(event, typeId, `7${n}`), 'NOT_A_MEMBER')
  await refusalOf(register(event, typeId, '42'), 'TOO_MANY_TRIES')
  await register(other.event, other.typeId, '42')
})
