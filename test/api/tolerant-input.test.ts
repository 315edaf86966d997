import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { doorApi } from '../../src/contract/door.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi } from '../../src/contract/forms.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { redemptionApi } from '../../src/contract/redemptions.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { makeClub, makeEvent, makeExtras, makeForm, makeRegistration, registrationFor } from '../support/make.ts'
import { app, fixture, send, setUpUntyped } from '../support/untyped.ts'

setUpUntyped()

describe('filters', () => {
  const query = (filters: object) =>
    send(attendeeApi.getAttendees, { eventId: fixture.event.id, searchKeyword: '', ...filters })

  test.each(['', 'null', 'undefined'])('“%s” counts as left out, in each', async (nothing) => {
    const all = await query({})
    expect(all.status).toBe(200)
    for (const name of ['searchKeyword', 'sortBy', 'checkin', 'redeemed', 'status', 'cursor', 'limit'])
      expect(await query({ [name]: nothing }), name).toEqual(all)
    expect(await query({ eventId: nothing })).toMatchObject({ status: 422, errors: [{ path: 'eventId' }] })
  })

  test('unknown ones are ignored, wrong ones are not', async () => {
    expect((await query({ _: 123, page: 'x' })).status).toBe(200)
    expect(await query({ sortBy: 'shoe size' })).toMatchObject({ status: 422, errors: [{ path: 'sortBy' }] })
  })

  test('a day may be followed by a time', async () => {
    const on = (date: string) => send(statisticsApi.getStatistics, { eventId: fixture.event.id, date })
    const right = await on('2026-11-20')
    expect(right.status).toBe(200)
    for (const date of [
      '2026-11-20T18:00',
      '2026-11-20T18:00:00',
      '2026-11-20T18:00:00.000Z',
      '2026-11-20T18:00+01:00',
    ])
      expect(await on(date), date).toEqual(right)
    for (const date of ['2026-11-20Tx', '2026-02-30T18:00', '20/11/2026']) expect((await on(date)).status).toBe(422)
    const active = { clubId: fixture.club.id, currentDate: '2026-11-20T18:00' }
    expect(await send(eventApi.getAllActiveEvents, active)).toMatchObject({ status: 200, payload: [{}] })
  })

  test('staff may leave out their own club when they ask for an event by club', async () => {
    const call = eventApi.getEventByEventIdnClubId
    const { id: eventId, clubId } = fixture.event
    const right = await send(call, { eventId, clubId })
    expect(right.status).toBe(200)
    for (const left of [{}, { clubId: 'undefined' }]) expect(await send(call, { eventId, ...left })).toEqual(right)
    const other = await makeClub(app, fixture.sudo.token)
    expect((await send(call, { eventId }, other.token)).status).toBe(404)
    for (const token of ['', fixture.sudo.token])
      expect(await send(call, { eventId }, token)).toMatchObject({ status: 422, errors: [{ path: 'clubId' }] })
  })
})

describe('ids', () => {
  test('are read from digits in text', async () => {
    const { event } = fixture
    const { newRegistration } = registrationFor(event)
    const texts = { ...newRegistration, eventId: String(event.id), clubId: String(event.clubId) }
    const extras = await makeExtras(app, fixture.token, event.id)
    const body = { newRegistration: texts, extrasIds: [String(extras.id)] }
    const answer = await send(registrationApi.initRegistration, body, '')
    expect(answer).toMatchObject({ status: 200, payload: { savedRegistration: { eventId: event.id } } })
    const registrationId = String(answer.payload.savedRegistration.id)
    const payload = { newCheckin: { registrationId, status: true }, eventId: String(event.id) }
    expect(await send(checkinApi.save, { payload })).toMatchObject({ status: 200, payload: { status: true } })
  })

  test.each(['0', '-1', '1.0', ' 1', '1e0', '2147483648', '01', 'x', ''])('“%s” is not an id', async (text) => {
    expect((await send(eventApi.save, { id: text, name: 'x' })).status).toBe(422)
  })

  test('of another club are refused in text too', async () => {
    const other = await makeClub(app, fixture.sudo.token)
    const event = await makeEvent(app, other.token)
    expect((await send(eventApi.save, { id: String(event.id), name: 'x' })).status).toBe(404)
    const clubId = String(other.club.id)
    expect((await send(eventApi.save, { id: String(fixture.event.id), clubId })).status).toBe(404)
  })
})

describe('null and empty values', () => {
  test('null is left out where the field is optional', async () => {
    const { event } = fixture
    const fields = {
      id: null,
      clubId: null,
      description: null,
      name: 'New',
      startsAt: event.startsAt,
      endsAt: event.endsAt,
    }
    expect(await send(eventApi.save, { ...fields, version: null })).toMatchObject({
      status: 200,
      payload: { name: 'New', description: '' },
    })
    const payload = { id: null, fullName: 'Nia', email: 'nia@example.org', clubId: fixture.club.id, password: null }
    const added = await send(appUserApi.save, { payload: { ...payload, currentPassword: null, role: null } })
    expect(added).toMatchObject({ status: 200, payload: { password: expect.any(String) } })
    const club = { id: fixture.club.id, name: null, description: 'Kept' }
    expect(await send(clubApi.save, club)).toMatchObject({ status: 200, payload: { name: fixture.club.name } })
  })

  test('null stays null where that means something, and is refused where the field is needed', async () => {
    const { id } = await makeEvent(app, fixture.token, { maxAttendees: 5 })
    expect(await send(eventApi.save, { id, maxAttendees: null })).toMatchObject({ payload: { maxAttendees: null } })
    const extras = { eventId: id, name: null, description: '', price: 0, content: [], maxQuantity: null }
    expect(await send(extrasApi.saveExtras, { payload: extras })).toMatchObject({
      status: 422,
      errors: [{ path: 'payload.name', msg: 'This is required.' }],
    })
  })

  test('null is refused if leaving out the field means everything', async () => {
    const registration = await makeRegistration(app, fixture.event)
    const of = { registrationId: registration.id, eventId: fixture.event.id }
    const amount = await send(paymentApi.refund, { payload: { ...of, amount: null } })
    expect(amount).toMatchObject({ status: 422, errors: [{ path: 'payload.amount' }] })
    const voucher = { eventId: fixture.event.id, units: null }
    for (const [call, payload] of [
      [redemptionApi.scanByExtrasPurchaseId, { ...voucher, qrCodeData: 'x' }],
      [redemptionApi.undoRedemption, { ...voucher, extrasPurchaseId: 1 }],
    ] as const)
      expect(await send(call, { payload })).toMatchObject({ status: 422, errors: [{ path: 'payload.units' }] })
  })

  test('in one of several shapes, too, ids may be digits in text and null is left out', async () => {
    const registration = await makeRegistration(app, fixture.event)
    const act = { kind: 'hand', registrationId: String(registration.id), codeHash: null }
    const scan = { scanId: randomUUID(), act, agoMs: 0, wasShownIn: true }
    const payload = { eventId: fixture.event.id, device: { id: 'aaaa', name: 'Gate' }, scans: [scan] }
    expect(await send(doorApi.syncScans, { payload })).toMatchObject({
      status: 200,
      payload: { answers: [{ code: null }] },
    })
  })

  test('a registration is sent back with its answer to a question that was removed since', async () => {
    const event = await makeEvent(app, fixture.token)
    const asked = { typeId: 0, text: 'Why?', required: false, options: [] }
    const [why] = await makeForm(app, fixture.token, event.id, [asked])
    const others = [{ qId: why?.id ?? 0, answer: 'Music' }]
    const registration = await makeRegistration(app, event, { others })
    await app.call(
      formApi.save,
      { payload: { eventId: event.id, formQuestions: [], rmQIds: [why?.id ?? 0] } },
      fixture.token,
    )
    const loaded = JSON.parse(JSON.stringify(registration))
    loaded.registrationData.name = 'Ada Corrected'
    expect(await send(attendeeApi.save, { payload: loaded })).toMatchObject({
      status: 200,
      payload: { registrationData: { name: 'Ada Corrected', others: [{ answer: 'Music' }] } },
    })
    const { id: registrationId, qrUuid } = registration
    const { phone } = loaded.registrationData
    const own = { registrationId, qrUuid, registrationData: { name: 'Ada Herself', phone, others } }
    expect(await send(ticketApi.correct, { payload: own }, '')).toMatchObject({ status: 200 })
    delete loaded.version
    loaded.registrationData.others = [{ qId: 999_999, answer: 'Music' }]
    expect(await send(attendeeApi.save, { payload: loaded })).toMatchObject({ status: 422 })
  })

  test('a body of null counts as none', async () => {
    expect((await send(eventApi.save, 'null')).status).toBe(400)
  })

  test('an answer of null is not answered', async () => {
    const event = await makeEvent(app, fixture.token)
    const questions = await makeForm(app, fixture.token, event.id, [
      { typeId: 0, text: 'Why?', required: false, options: [] },
      { typeId: 3, text: 'Days', required: false, options: ['Fr', 'Sa'] },
      { typeId: 3, text: 'Meals', required: true, options: ['A', 'B'] },
    ])
    const [why, days, meals] = questions.map(({ id }) => id)
    const register = (answer: unknown) => {
      const body = { ...registrationFor(event), extrasIds: null, idempotencyKey: null }
      const others = [
        { qId: why, answer: null },
        { qId: days, answer: null },
        { qId: meals, answer },
      ]
      Object.assign(body.newRegistration.registrationData, { others })
      return send(registrationApi.initRegistration, body, '')
    }
    expect(await register(['A'])).toMatchObject({
      payload: { savedRegistration: { registrationData: { others: [{ qId: meals, answer: ['A'] }] } } },
    })
    const path = 'newRegistration.registrationData.others.2.answer'
    expect(await register(null)).toMatchObject({ status: 422, errors: [{ path, msg: 'Choose at least one option.' }] })
  })

  test('text questions need no options, others do', async () => {
    const { id: eventId } = await makeEvent(app, fixture.token)
    const save = (question: object) =>
      send(formApi.save, { payload: { eventId, formQuestions: [{ text: 'Why?', required: false, ...question }] } })
    expect(await save({ typeId: '0' })).toMatchObject({ status: 200, payload: [{ options: [] }] })
    expect(await save({ typeId: '1', options: null })).toMatchObject({ status: 200 })
    expect(await save({ typeId: 2 })).toMatchObject({
      status: 422,
      errors: [{ path: 'payload.formQuestions.0.options' }],
    })
  })

  test('a person who names no club gets one with their own name; an event without a status is published if it can be', async () => {
    const person = { fullName: 'Pia Solo', email: 'pia@example.org', password: 'correct horse 1' }
    const { payload } = await send({ method: 'POST', path: '/api/user/register' }, person, '')
    expect(payload.currentUser.clubName).toBe('Pia Solo')
    const { startsAt, endsAt } = fixture.event
    const add = async (ticketPrice: number) =>
      (await send(eventApi.save, { name: 'Party', startsAt, endsAt, ticketPrice })).payload.status
    expect(await add(0)).toBe('published')
    // This server has no card payment, so nobody could pay for it.
    expect(await add(500)).toBe('draft')
  })
})

describe('forms', () => {
  async function post(path: string, entries: Record<string, string | Blob>) {
    const body = new FormData()
    for (const [name, value] of Object.entries(entries))
      typeof value === 'string' ? body.append(name, value) : body.append(name, value, 'x.png')
    const headers = { authorization: fixture.token }
    const response = await fetch(`${app.url}${path}`, { method: 'POST', body, headers })
    return { status: response.status, ...(await response.json()) }
  }
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  test('an event is sent back in a form, with the text null, and a file under any name', async () => {
    const { payload: event } = await send(eventApi.getEvent, { eventId: fixture.event.id })
    const entries = Object.fromEntries(Object.entries(event).map(([key, value]) => [key, String(value)]))
    const plain = await post('/api/event/save', { ...entries, description: 'null' })
    expect(plain).toMatchObject({
      status: 200,
      payload: { banner: '', maxAttendees: null, description: event.description },
    })
    const file = new Blob([pixel], { type: 'image/png' })
    const withFile = await post('/api/event/save', { id: String(event.id), upload: file })
    expect(withFile).toMatchObject({
      status: 200,
      payload: { banner: expect.stringMatching(/^[0-9a-f]+\.(jpg|png)$/) },
    })
    const added = await post('/api/event/save', {
      id: 'null',
      name: 'New',
      startsAt: event.startsAt,
      endsAt: event.endsAt,
      banner: 'null',
    })
    expect(added).toMatchObject({ status: 200, payload: { banner: '' } })
  })
})
