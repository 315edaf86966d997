import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { eventApi } from '../../src/contract/events.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { logChange } from '../../src/server/db/changes.ts'
import { makeClub, makeEvent, makeFixture, makeRegistration, scanOf } from '../support/make.ts'
import { makeMany } from '../support/make-many.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(async () => {
  await verify(app.deps.db)
  await app.stop()
})

type Asked = Partial<Parameters<typeof list>[1]>
const standard = { searchKeyword: '', sortBy: 'registration', limit: 50 } as const

function list(
  token: string,
  asked: {
    eventId: number
    searchKeyword?: string
    sortBy?: 'registration' | 'checkin' | 'name'
    checkin?: boolean
    status?: 'pending' | 'confirmed' | 'cancelled'
    cursor?: string
    limit?: number
  },
) {
  return app.call(attendeeApi.getAttendees, { ...standard, ...asked }, token)
}

const minutes = (n: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + n * 60_000)
}

test('the list searches name, e-mail, phone and id, ignores accents, and takes wildcards literally', async () => {
  const { event, token } = await makeFixture(app)
  const jose = await makeRegistration(app, event, {
    name: 'José Łukasz',
    email: 'jl@example.org',
    phone: '+44 20 7946 0958',
  })
  await makeRegistration(app, event, { name: '100% Max_imum', email: 'max@example.org' })
  const names = async (searchKeyword: string) =>
    (await list(token, { eventId: event.id, searchKeyword })).attendees.map(
      ({ registration }) => registration.registrationData.name,
    )
  for (const found of [
    'jose',
    'JOSÉ',
    'lukasz',
    'jl@EXAMPLE',
    'luk jos',
    '+44 20 7946',
    '020 7946 0958',
    '79460958',
    String(jose.id).padStart(5, '0'),
    `#000${jose.id}`,
  ])
    expect(await names(found), found).toEqual(['José Łukasz'])
  for (const found of ['%', '_', '100%', 'x_i']) expect(await names(found), found).toEqual(['100% Max_imum'])
  for (const none of ['\\', '%%%', 'jose max', "'; drop table registrations; --"])
    expect(await names(none), none).toEqual([])
})

function addWalkIn(token: string, eventId: number, name: string) {
  const registrationData = { name, email: '', phone: '', others: [] }
  return app.call(attendeeApi.save, { payload: { eventId, registrationData, extrasIds: [] } }, token)
}

test('pages follow each other without gap or repetition in every order, while others register', async () => {
  const { event, token } = await makeFixture(app)
  const made: number[] = []
  for (let n = 0; n < 7; n++) {
    // Some have no e-mail address and phone number, as when staff add them.
    const name = `${'gfedcba'[n]} Person`
    const registration =
      n % 3 === 0 ? await addWalkIn(token, event.id, name) : await makeRegistration(app, event, { name })
    made.push(registration.id)
    if (n % 2 === 0) await app.call(checkinApi.scanByRegistrationId, scanOf(registration), token)
    if (n !== 3) minutes(1)
  }
  for (const sortBy of ['registration', 'name', 'checkin'] as const) {
    const seen: number[] = []
    let cursor: string | null = null
    do {
      const asked: Asked = { sortBy, limit: 1, ...(cursor !== null && { cursor }) }
      const page: Awaited<ReturnType<typeof list>> = await list(token, { eventId: event.id, ...asked })
      seen.push(...page.attendees.map(({ rId }) => rId))
      cursor = page.nextCursor
      if (seen.length === 3) await makeRegistration(app, event, { name: '0 newcomer' })
    } while (cursor !== null)
    const newestFirst = [...made].reverse()
    const expected = {
      registration: newestFirst,
      name: newestFirst,
      checkin: [...newestFirst.filter((_, n) => n % 2 === 0), ...newestFirst.filter((_, n) => n % 2 === 1)],
    }
    expect(
      seen.filter((id) => made.includes(id)),
      sortBy,
    ).toEqual(expected[sortBy])
  }
})

test('sorted by check-in, nobody is missing or listed twice while people are checked in and taken back', async () => {
  const { event, token } = await makeFixture(app)
  const made = await Promise.all(Array.from({ length: 12 }, () => makeRegistration(app, event)))
  let isOver = false
  const moving = (async () => {
    for (let status = true; !isOver; status = !status)
      for (const { id: registrationId } of made)
        await app.call(
          checkinApi.save,
          { payload: { eventId: event.id, newCheckin: { registrationId, status } } },
          token,
        )
  })()
  try {
    for (let n = 0; n < 100; n++) {
      const page = await list(token, { eventId: event.id, sortBy: 'checkin', limit: 50 })
      expect(new Set(page.attendees.map(({ rId }) => rId)).size).toBe(made.length)
      expect(page.attendees).toHaveLength(made.length)
    }
  } finally {
    isOver = true
    await moving
  }
})

test('filters narrow the list and its total; a cursor that is not ours is refused', async () => {
  const { event, token } = await makeFixture(app)
  const [a, b, c] = [
    await makeRegistration(app, event),
    await makeRegistration(app, event),
    await makeRegistration(app, event),
  ]
  await app.call(checkinApi.scanByRegistrationId, scanOf(a), token)
  await app.call(attendeeApi.updateStatus, { payload: { id: c.id, eventId: event.id, status: 'cancelled' } }, token)
  const eventId = event.id
  const ids = async (asked: Asked) => {
    const { attendees, total } = await list(token, { eventId, ...asked })
    expect(total).toBe(attendees.length)
    return attendees.map(({ rId }) => rId)
  }
  expect(await ids({})).toEqual([c.id, b.id, a.id])
  expect(await ids({ checkin: true })).toEqual([a.id])
  expect(await ids({ checkin: false })).toEqual([c.id, b.id])
  expect(await ids({ status: 'cancelled' })).toEqual([c.id])
  expect(await ids({ status: 'confirmed', checkin: false })).toEqual([b.id])
  for (const cursor of [
    'x',
    Buffer.from('["9",1]').toString('base64'),
    Buffer.from('["now()",1]').toString('base64url'),
    Buffer.from('["1",99999999999]').toString('base64url'),
    Buffer.from('["a\\u0000",1]').toString('base64url'),
  ]) {
    const got = await app.raw(
      attendeeApi.getAttendees,
      { eventId, cursor, sortBy: cursor.length > 14 ? 'name' : 'checkin' },
      { authorization: token },
    )
    expect(got.status, cursor).toBeLessThan(500)
  }
})

test('staff add somebody without e-mail and phone, but never more than there are seats', async () => {
  const { event, token } = await makeFixture(app, { maxAttendees: 2 })
  const add = (name: string, eventId = event.id) =>
    app.call(
      attendeeApi.save,
      { payload: { eventId, registrationData: { name, email: '', phone: '', others: [] }, extrasIds: [] } },
      token,
    )
  const walkIn = await add('Same Name')
  expect(walkIn).toMatchObject({ status: 'confirmed', registrationData: { name: 'Same Name', email: '' } })
  expect(await countOutcomes([add('Same Name'), add('Same Name'), add('Same Name')])).toEqual({ ok: 1, SOLD_OUT: 2 })
  await refusalOf(app.call(attendeeApi.sendTicket, { registrationId: walkIn.id, eventId: event.id }, token), 'NO_EMAIL')
  await app.finishMails()
  expect(app.sent).toEqual([])
})

test('the idempotency key of a staff addition adds nobody twice, and is refused with another person', async () => {
  const { event, token } = await makeFixture(app)
  const add = (name: string, idempotencyKey = 'k') => {
    const registrationData = { name, email: '', phone: '', others: [] }
    const payload = { eventId: event.id, registrationData, extrasIds: [], idempotencyKey }
    return app.call(attendeeApi.save, { payload }, token)
  }
  const ids = (await Promise.all([add('Walk In'), add('Walk In'), add('Walk In')])).map(({ id }) => id)
  expect(new Set(ids).size).toBe(1)
  await refusalOf(add('Somebody Else'), 'IDEMPOTENCY_MISMATCH')
  expect((await add('Walk In', 'other')).id).not.toBe(ids[0])
  expect((await app.call(eventApi.getEvent, { eventId: event.id })).registrationCount).toBe(2)
})

test('a timeline begins once with the registration, also where a version before has logged a visitor’s', async () => {
  const { event, token } = await makeFixture(app)
  const registeredAt = app.clock.now
  const beginnings = async (id: number) => {
    const entries = await app.call(attendeeApi.getTimeline, { registrationId: id, eventId: event.id }, token)
    expect(entries.at(-1)).toMatchObject({ kind: 'registration', text: 'Registered', at: registeredAt })
    return entries.filter(({ text }) => text === 'Registered').map(({ by }) => by)
  }
  const { id } = await makeRegistration(app, event)
  const registrationData = { name: 'Walk In', email: '', phone: '', others: [] }
  const added = await app.call(
    attendeeApi.save,
    { payload: { eventId: event.id, registrationData, extrasIds: [] } },
    token,
  )
  app.clock.now = new Date(registeredAt.getTime() + 60_000)
  const { db } = app.deps
  const logged = () => db.selectFrom('changes').select('id').where('subject', '=', 'registration').execute()
  expect([await beginnings(id), await logged()]).toEqual([[null], [expect.anything()]])
  const change = { clubId: event.clubId, userId: null, subject: 'registration', action: 'registered' } as const
  await logChange(db, registeredAt, { ...change, subjectId: id })
  expect(await beginnings(id)).toEqual([null])
  expect(await beginnings(added.id)).toEqual([expect.stringMatching(/^Ana Admin/)])
})

test('a correction is logged with what it changed, and cannot duplicate a person', async () => {
  const { event, token } = await makeFixture(app)
  const ada = await makeRegistration(app, event, { name: 'Ada', email: 'a@example.org' })
  const ben = await makeRegistration(app, event, { name: 'Ben', email: 'b@example.org' })
  const save = (id: number, name: string, email: string, eventId = event.id) =>
    app.call(
      attendeeApi.save,
      {
        payload: { id, eventId, registrationData: { name, email, phone: '+49 30 1234567', others: [] }, extrasIds: [] },
      },
      token,
    )
  expect(await save(ada.id, 'Ada L.', 'a@example.org')).toMatchObject({ registrationData: { name: 'Ada L.' } })
  await refusalOf(save(ben.id, 'ada l.', 'A@example.org'), 'ALREADY_REGISTERED')
  const other = await makeEvent(app, token)
  await refusalOf(save(ada.id, 'Moved', 'a@example.org', other.id), 'NOT_FOUND')
  const timeline = await app.call(attendeeApi.getTimeline, { registrationId: ada.id, eventId: event.id }, token)
  expect(timeline.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['Corrected: name', 'Registered', 'Ticket not sent yet']),
  )
  expect(timeline.find(({ text }) => text.startsWith('Corrected'))?.by).toMatch(/^Ana Admin/)
  expect((await list(token, { eventId: event.id, searchKeyword: 'ada l' })).total).toBe(1)
})

test('cancelling frees the seat, voids the ticket and tells the attendee; confirming again needs a seat', async () => {
  const { event, token } = await makeFixture(app, { maxAttendees: 1 })
  const ada = await makeRegistration(app, event, { name: 'Ada', email: 'a@example.org' })
  const to = (id: number, status: 'pending' | 'confirmed' | 'cancelled') =>
    app.call(attendeeApi.updateStatus, { payload: { id, eventId: event.id, status } }, token)
  await to(ada.id, 'cancelled')
  await refusalOf(to(ada.id, 'cancelled'), 'ILLEGAL_TRANSITION')
  await refusalOf(app.call(checkinApi.scanByRegistrationId, scanOf(ada), token), 'TICKET_CANCELLED')
  await app.finishMails()
  // The ticket mail had not been sent yet and is no longer needed.
  expect(app.sent.map(({ subject }) => subject)).toEqual(['Your registration was cancelled: Summer party'])

  const ben = await makeRegistration(app, event)
  await refusalOf(to(ada.id, 'confirmed'), 'SOLD_OUT')
  await to(ben.id, 'cancelled')
  expect(await countOutcomes([to(ada.id, 'confirmed'), to(ben.id, 'confirmed')])).toEqual({ ok: 1, SOLD_OUT: 1 })
  await refusalOf(to(ada.id, 'pending'), 'ILLEGAL_TRANSITION')
})

test('confirming again is refused when the person has another place by now', async () => {
  const { event, token } = await makeFixture(app)
  const first = await makeRegistration(app, event, { name: 'Ada', email: 'a@example.org' })
  const to = (status: 'confirmed' | 'cancelled') =>
    app.call(attendeeApi.updateStatus, { payload: { id: first.id, eventId: event.id, status } }, token)
  await to('cancelled')
  await makeRegistration(app, event, { name: 'Ada', email: 'a@example.org' })
  await refusalOf(to('confirmed'), 'ALREADY_REGISTERED')
})

test('a check-in by hand counts like a scan, and can be undone and made again', async () => {
  const { event, token } = await makeFixture(app)
  const ada = await makeRegistration(app, event)
  const save = (status: boolean) =>
    app.call(checkinApi.save, { payload: { newCheckin: { registrationId: ada.id, status }, eventId: event.id } }, token)
  expect(await countOutcomes(Array.from({ length: 10 }, () => save(true)))).toEqual({ ok: 1, ALREADY_CHECKED_IN: 9 })
  expect(await countOutcomes(Array.from({ length: 10 }, () => save(false)))).toEqual({ ok: 1, ILLEGAL_TRANSITION: 9 })
  await app.call(checkinApi.scanByRegistrationId, scanOf(ada), token)
  await refusalOf(save(true), 'ALREADY_CHECKED_IN')
})

test('bulk actions leave impossible ones as they are, and never touch another club’s', async () => {
  const { event, token, sudo } = await makeFixture(app)
  const [a, b] = [await makeRegistration(app, event), await makeRegistration(app, event)]
  const other = await makeClub(app, sudo.token)
  const foreign = await makeRegistration(app, await makeEvent(app, other.token))
  const many = (action: 'resend' | 'check in' | 'cancel', registrationIds = [a.id, b.id, foreign.id, 999_999]) =>
    app.call(attendeeApi.changeMany, { payload: { eventId: event.id, registrationIds, action } }, token)
  expect(await many('check in')).toEqual({ changed: 2, unchanged: 2 })
  expect(await many('check in')).toEqual({ changed: 0, unchanged: 4 })
  expect(await many('resend')).toEqual({ changed: 2, unchanged: 2 })
  expect(await many('cancel', [a.id, a.id])).toEqual({ changed: 1, unchanged: 0 })
  expect(await many('resend')).toEqual({ changed: 1, unchanged: 3 })
  expect(await app.call(eventApi.getEvent, { eventId: event.id })).toMatchObject({ registrationCount: 1 })
})

test('a registration is removed for good, with its seat', async () => {
  const { event, token } = await makeFixture(app, { maxAttendees: 1 })
  const { id: registrationId, qrUuid } = await makeRegistration(app, event)
  const remove = () => app.call(attendeeApi.removeRegistration, { registrationId, eventId: event.id }, token)
  expect(await countOutcomes([remove(), remove()])).toEqual({ ok: 1, NOT_FOUND: 1 })
  await refusalOf(app.call(ticketApi.getRegistration, { registrationId, qrUuid }), 'NOT_FOUND')
  await makeRegistration(app, event)
})

test('a removal is refused to prefetches, other sites and HEAD', async () => {
  const { event, token } = await makeFixture(app)
  const { id: registrationId } = await makeRegistration(app, event)
  const query = { registrationId, eventId: event.id }
  for (const header of [{ 'sec-purpose': 'prefetch' }, { purpose: 'prefetch' }]) {
    const response = await app.raw(attendeeApi.removeRegistration, query, { authorization: token, ...header })
    expect(response.status).toBe(403)
  }
  const url = `${app.url}${attendeeApi.removeRegistration.path}?registrationId=${registrationId}&eventId=${event.id}`
  expect((await fetch(url, { method: 'HEAD', headers: { authorization: token } })).status).toBe(404)
  expect((await list(token, { eventId: event.id })).total).toBe(1)
})

test('when an event is cancelled its attendees are notified once', async () => {
  const { event, token } = await makeFixture(app)
  await makeRegistration(app, event, { email: 'a@example.org' })
  const gone = await makeRegistration(app, event, { email: 'b@example.org' })
  await app.call(attendeeApi.updateStatus, { payload: { id: gone.id, eventId: event.id, status: 'cancelled' } }, token)
  await app.finishMails()
  app.sent.length = 0
  await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
  await app.finishMails()
  expect(app.sent.map(({ to, subject }) => [to, subject])).toEqual([['a@example.org', 'Cancelled: Summer party']])
})

test('a page has up to 1,000 people, and more are refused', async () => {
  const { event, token } = await makeFixture(app)
  await makeMany(app, event, 1001)
  const first = await list(token, { eventId: event.id, limit: 1000 })
  expect(first.attendees).toHaveLength(1000)
  const next = await list(token, { eventId: event.id, limit: 1000, cursor: first.nextCursor ?? '' })
  expect(next).toMatchObject({ attendees: [{ rId: expect.any(Number) }], nextCursor: null, total: 1001 })
  for (const limit of ['1001', '0', '9999', '10000', 'x']) {
    const url = `${app.url}${attendeeApi.getAttendees.path}?eventId=${event.id}&searchKeyword=&limit=${limit}`
    const answer = await fetch(url, { headers: { authorization: token } })
    expect([limit, answer.status]).toEqual([limit, 422])
  }
})

test('a page with very long answers ends earlier, and the next one goes on', async () => {
  const { event, token } = await makeFixture(app)
  const ids = await makeMany(app, event, 4)
  const long = [{ qId: 1, question: 'Tell us', answer: 'x'.repeat(1_900_000) }]
  await app.deps.db
    .updateTable('registrations')
    .set({ others: JSON.stringify(long) })
    .execute()
  const first = await list(token, { eventId: event.id, limit: 3 })
  const next = await list(token, { eventId: event.id, limit: 3, cursor: first.nextCursor ?? '' })
  expect([first.attendees.length, next.attendees.length, next.nextCursor]).toEqual([2, 2, null])
  const seen = [...first.attendees, ...next.attendees].map(({ rId }) => rId)
  expect(new Set(seen)).toEqual(new Set(ids))
})
