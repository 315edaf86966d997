import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/start-app.ts'

/**
 * A client written from the specification alone: it does not use the contract's types, sends answers back unchanged, takes ids
 * from addresses (so they are text), and builds its queries from a state in which most values are blank.
 */
let app: TestApp
let token = ''

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

function request(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(app.url + path, { ...init, headers: { Authorization: token, ...init.headers } })
}

async function read(response: Response) {
  const data = await response.json()
  expect(response.ok, JSON.stringify(data)).toBe(true)
  return data
}

async function get(path: string, query: Record<string, unknown>) {
  const search = Object.entries(query).map(([key, value]) => `${key}=${value}`)
  return read(await request(`${path}?${search.join('&')}`))
}

async function post(path: string, body: unknown) {
  const headers = { 'content-type': 'application/json' }
  return read(await request(path, { method: 'POST', headers, body: JSON.stringify(body) }))
}

test('the whole main job, from the sign-up of a club to the export of its attendees', async () => {
  // Sign up, out and in again.
  const credentials = { email: 'nia@example.org', password: 'abcd efgh 1' }
  const signUp = await request('/api/user/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fullName: 'Nia', ...credentials }),
  })
  token = signUp.headers.get('authorization') ?? ''
  const { currentUser } = (await read(signUp)).payload
  expect(currentUser).toMatchObject({ role: 'admin', fullName: 'Nia' })
  const clubId = String(currentUser.clubId)
  const signIn = await request('/api/user/signin', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  expect((await read(signIn)).payload.currentUser).toEqual(currentUser)
  token = signIn.headers.get('authorization') ?? ''

  // The club and its people, sent back as answered with one change.
  const { payload: club } = await get('/api/club/getClub', { clubId })
  expect((await post('/api/club/save', { ...club, name: 'Chess club' })).payload.name).toBe('Chess club')
  const { admins } = (await get('/api/appUser/getAppUsers', { clubId })).payload
  const user = (await post('/api/appUser/save', { payload: { ...admins[0], fullName: 'Nia New' } })).payload
  expect(user).toMatchObject({ id: admins[0].id, fullName: 'Nia New' })
  const second = {
    id: null,
    fullName: 'Bo',
    email: 'bo@example.org',
    clubId,
    role: 'admin',
    password: null,
    image: 'null',
  }
  expect((await post('/api/appUser/save', { payload: second })).payload.id).toBeGreaterThan(0)

  // An event, as form data without a chosen banner; then edited as it was answered.
  const form = new FormData()
  const fields = { id: null, clubId, name: 'Open day', banner: 'null', maxAttendees: 50 }
  const times = { startsAt: '2026-11-27T18:00:00Z', endsAt: '2026-11-27T22:00:00Z' }
  for (const [name, value] of Object.entries({ ...fields, ...times })) form.append(name, String(value))
  const { payload: added } = await read(await request('/api/event/save', { method: 'POST', body: form }))
  expect(added).toMatchObject({ name: 'Open day', banner: '', maxAttendees: 50 })
  const { payload: events } = await get('/api/event/getAllEvents', { clubId })
  const { payload: event } = await post('/api/event/save', { ...events[0], location: 'Town hall' })
  expect(event).toMatchObject({ id: added.id, location: 'Town hall' })
  const eventId = String(event.id)
  expect((await get('/api/event/getEventByEventIdnClubId', { eventId, clubId: undefined })).payload).toEqual(event)

  // Vouchers and the form, built in two steps.
  const content = [{ name: 'Drink', quantity: 2 }]
  const extras = { id: null, eventId, name: 'Drinks', description: '', price: 0, content, maxQuantity: null }
  await post('/api/event/saveExtras', { payload: extras })
  const [drinks] = (await get('/api/event/getExtras', { eventId })).payload
  await post('/api/event/saveExtras', { payload: { ...drinks, description: 'Two of them' } })
  const why = { typeId: '0', text: 'Why?', required: true }
  const first = await post('/api/form/save', { payload: { eventId, formQuestions: [why], rmQIds: [] } })
  const meal = { id: null, typeId: '3', text: 'Meals', required: false, options: ['A', 'B'] }
  const formQuestions = [...first.payload, meal]
  await post('/api/form/save', { payload: { eventId, formQuestions, rmQIds: null } })

  // A visitor finds the event, answers its form and gets a ticket.
  const staffToken = token
  token = ''
  const active = await get('/api/event/getAllActiveEvents', { clubId, currentDate: '2026-11-20T19:00' })
  expect(active.payload).toMatchObject([{ id: event.id, status: 'published' }])
  const { payload: questions } = await get('/api/form/getFormQuestions', { eventId })
  const others = questions.map(({ id, text, typeId }: { id: number; text: string; typeId: number }) => ({
    qId: id,
    question: text,
    answer: typeId === 3 ? null : 'Because',
  }))
  const registrationData = { name: 'Ada', email: 'ada@example.org', phone: '+49 30 1234567', others }
  const registered = await post('/api/registration/initRegistration', {
    newRegistration: { eventId, clubId, registrationData },
    extrasIds: [String(drinks.id)],
  })
  expect(registered.msg).toBe('Registration Successful!')
  const { id: registrationId, qrUuid } = registered.payload.savedRegistration
  const ticket = (await get('/api/registration/getRegistration', { registrationId, qrUuid })).payload
  expect(ticket).toMatchObject({ registration: { status: 'confirmed' }, event: { id: event.id }, checkin: null })

  // The list, with every filter in its initial state.
  token = staffToken
  const list = (filters: object) => get('/api/registration/getAttendees', { eventId, ...filters })
  const blank = { searchKeyword: '', sortBy: null, checkin: '', redeemed: null, status: undefined }
  const [row] = (await list(blank)).payload.attendees
  expect(row).toMatchObject({ rId: registrationId, checkin: null, registration: { registrationData: { name: 'Ada' } } })
  expect((await list({ ...blank, searchKeyword: 'nobody' })).payload.attendees).toEqual([])
  expect((await get('/api/registration/sendTicket', { registrationId, eventId })).msg).toBe('Ticket sent to email!')
  const corrected = { ...row.registration.registrationData, name: 'Ada L.' }
  await post('/api/registration/save', { payload: { ...row.registration, registrationData: corrected } })

  // The door: the ticket by its JSON text, undone and saved by hand, and the voucher.
  const scan = (path: string, code: object) => post(path, { payload: { qrCodeData: JSON.stringify(code), eventId } })
  const scanned = await scan('/api/checkin/scanByRegistrationId', { id: registrationId, qrUuid })
  expect(scanned).toMatchObject({ msg: 'Check-in successful!', payload: { checkin: { status: true } } })
  for (const status of [false, true]) {
    const newCheckin = { ...scanned.payload.checkin, status }
    const { payload } = await post('/api/checkin/save', { payload: { newCheckin, eventId } })
    expect(payload.status).toBe(status)
  }
  const [{ id, qrUuid: secret }] = ticket.extras
  const redeemed = await scan('/api/registration/scanByExtrasPurchaseId', { id: String(id), qrUuid: secret })
  expect(redeemed).toMatchObject({ msg: 'Redeemed: 2 × Drink.', payload: { extrasPurchase: { status: true } } })
  expect((await list({ ...blank, checkin: true, redeemed: true })).payload.total).toBe(1)
  expect((await list({ ...blank, checkin: false })).payload.total).toBe(0)

  // Statistics and export.
  expect((await get('/api/checkin/getStatistics', { eventId, date: '2026-11-20T19:00' })).payload).toMatchObject({
    historicalRegistrationCount: 1,
    historicalCheckinCount: 1,
    totalRegistrationCount: 1,
    totalCheckinCount: 1,
  })
  const file = await request(`/api/registration/downloadAttendees?eventId=${eventId}`)
  expect(file.headers.get('content-disposition')).toMatch(
    new RegExp(`filename="Attendee-report-event-${eventId}-\\d{8}T\\d{6}\\.xlsx"`),
  )
  const { sheets } = await readXlsx(Buffer.from(await file.arrayBuffer()))
  expect(sheets[0]?.rows.flat()).toEqual(expect.arrayContaining(['Ada L.', 'ada@example.org', 'Because']))

  // Refusals have a message, and everything can be removed again.
  const wrong = await request('/api/event/save', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...event, name: '' }),
  })
  expect([wrong.status, await wrong.json()]).toMatchObject([422, { msg: 'Name: Enter the name of the event.' }])
  await get('/api/registration/removeRegistration', { registrationId, eventId })
  await get('/api/event/removeExtras', { extrasId: drinks.id, eventId })
  await get('/api/event/removeEvent', { eventId })
  expect((await get('/api/event/getAllEvents', { clubId })).payload).toEqual([])
})
