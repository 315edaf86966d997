import { randomUUID } from 'node:crypto'
import { readXlsx } from 'hucre/xlsx'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { codeApi } from '../../src/contract/codes.ts'
import { doorApi } from '../../src/contract/door.ts'
import { eventApi } from '../../src/contract/events.ts'
import { historyApi } from '../../src/contract/history.ts'
import { orderApi } from '../../src/contract/orders.ts'
import { MOST_RECORDS, personalDataApi } from '../../src/contract/personal-data.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { queueErasures } from '../../src/server/retention/queries.ts'
import {
  makeClub,
  makeEvent,
  makeExtras,
  makeFixture,
  makeForm,
  makeMember,
  makeRegistration,
  registrationFor,
  scanOf,
  tokenFor,
} from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { refusalOf } from '../support/outcomes.ts'
import { placesOf } from '../support/places-of.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
let token: string
beforeEach(async () => {
  app = await startApp({ settings: { limits: false } })
  fixture = await makeFixture(app)
  token = fixture.token
})
afterEach(async () => {
  await verify(app.deps.db)
  await app.stop()
})

const person = { name: 'Zyxéla Quorvath', email: 'zyxela.quorvath@mail.example', phone: '+493055512399' }

const find = (search: string, as = token) =>
  app.call(personalDataApi.findRecords, { clubId: fixture.club.id, search }, as)
const keysOf = async (search: string) => (await find(search)).records.map(({ key }) => key)
const erase = (keys: string[], as = token) =>
  app.call(personalDataApi.deleteRecords, { payload: { clubId: fixture.club.id, keys } }, as)

const cancel = ({ id }: { id: number }) =>
  app.call(attendeeApi.updateStatus, { payload: { id, eventId: fixture.event.id, status: 'cancelled' } }, token)

/** After all events; the session from before has ended. */
async function goPast(): Promise<void> {
  app.clock.now = new Date(fixture.event.endsAt.getTime() + 24 * 60 * 60_000)
  token = await tokenFor(app, fixture.admin.id)
}

/** Somebody added at the door by a phone without network, whom the server refused: the event is full of what others keep. */
async function makeConflict(name: string, others: { qId: number; answer: string }[] = []): Promise<string> {
  const { registrationCount } = await app.call(eventApi.getEvent, { eventId: fixture.event.id }, token)
  await app.call(eventApi.save, { id: fixture.event.id, maxAttendees: registrationCount }, token)
  const scanId = randomUUID()
  const registrationData = { name, email: '', phone: '+491765550815', others }
  const act = { kind: 'walk-in' as const, registrationData, extrasIds: [], idempotencyKey: randomUUID() }
  const scans = [{ scanId, act, agoMs: 0, wasShownIn: true }]
  const device = { id: 'gate', name: 'Gate' }
  await app.call(doorApi.syncScans, { payload: { eventId: fixture.event.id, device, scans } }, token)
  return scanId
}

describe('a search', () => {
  test('finds somebody in all events of the club by name, address or number, and nobody of another club', async () => {
    const second = await makeEvent(app, token, { name: 'Second night' })
    const here = await makeRegistration(app, fixture.event, person)
    const there = await makeRegistration(app, second, person)
    await makeRegistration(app, fixture.event, { name: 'Somebody Else' })
    const other = await makeClub(app, fixture.sudo.token)
    await makeRegistration(app, await makeEvent(app, other.token), person)
    const keys = [`registration:${there.id}`, `registration:${here.id}`].sort()
    for (const search of ['zyxela quorvath', 'QUORVATH', person.email, '030 555 123 99'])
      expect((await keysOf(search)).sort()).toEqual(keys)
    const { records, hasMore } = await find(person.email)
    expect(hasMore).toBe(false)
    expect(records.find(({ eventId }) => eventId === second.id)).toMatchObject({
      ...{ kind: 'registration', name: person.name, email: person.email, eventName: 'Second night' },
      ...{ status: 'confirmed', kept: 'upcoming' },
    })
    await refusalOf(find('Quorvath', other.token), 'NOT_FOUND')
    await refusalOf(find(' '), 'INVALID_INPUT')
    // By an id nobody is found.
    expect(await keysOf(`#${here.id}`)).toEqual([])
  })

  test('finds whoever gave a ticket away, and whoever got no place at the door', async () => {
    const ticket = await makeRegistration(app, fixture.event, person)
    const registrationData = { name: 'Bo', email: 'bo@example.org', phone: '030 7654321', others: [] }
    const { id: registrationId, qrUuid } = ticket
    await app.call(ticketApi.handOn, { payload: { registrationId, qrUuid, registrationData } })
    const scanId = await makeConflict('Wálter Quorvath')
    const code = { code: 'FRIENDS', kind: 'percent' as const, value: 50, ticketTypeIds: [], maxUses: null }
    const noted = { opensAt: null, closesAt: null, note: 'For Zoë Quorvath' }
    await app.call(codeApi.saveCode, { payload: { eventId: fixture.event.id, ...code, ...noted } }, token)
    const [mailed] = (await find('zyxela quorvath')).records
    expect(mailed).toMatchObject({ kind: 'holder', kept: 'mail' })
    await app.finishMails()
    const { records } = await find('quorvath')
    expect(records.map(({ kind, name, kept }) => [kind, name, kept]).sort()).toEqual([
      ['code', 'For Zoë Quorvath', null],
      ['conflict', 'Wálter Quorvath', null],
      ['holder', person.name, null],
    ])
    expect(records.find(({ kind }) => kind === 'conflict')?.key).toBe(`conflict:${scanId}`)
    expect(await keysOf('walter')).toEqual([`conflict:${scanId}`])
    expect(await keysOf('0176 555 0815')).toEqual([`conflict:${scanId}`])
    expect(await placesOf(app.deps.db, person.email)).toContain('mails.recipient')
    expect(await erase(records.map(({ key }) => key))).toEqual({ deleted: 3, kept: [] })
    for (const text of ['Quorvath', person.email]) expect(await placesOf(app.deps.db, text)).toEqual([])
    expect(await keysOf('quorvath')).toEqual([])
    expect(await keysOf('bo@example.org')).toEqual([`registration:${ticket.id}`])
    expect(await app.call(doorApi.getConflicts, { eventId: fixture.event.id }, token)).toMatchObject([{ name: '' }])
    // A page that still shows them.
    const again = {
      eventId: fixture.event.id,
      scanId,
      registrationData: { ...registrationData, name: 'Walter' },
      extrasIds: [],
    }
    await refusalOf(app.call(doorApi.addFromConflict, { payload: again }, token), 'NOT_FOUND')
    expect(await erase(records.map(({ key }) => key))).toEqual({ deleted: 3, kept: [] })
  })
})

test('the spreadsheet has all that is kept, and nobody else’s', async () => {
  const { event } = fixture
  const drinks = await makeExtras(app, token, event.id, { content: [{ name: 'Beer', quantity: 2 }] })
  const [why] = await makeForm(app, token, event.id, [{ typeId: 0, text: 'Why?', required: false, options: [] }])
  const others = [{ qId: why?.id ?? 0, answer: 'Because' }]
  const input = { ...registrationFor(event, { ...person, others }), extrasIds: [drinks.id] }
  const { savedRegistration: ticket } = await app.call(registrationApi.initRegistration, input)
  await app.call(checkinApi.scanByRegistrationId, scanOf(ticket), token)
  const other = await makeRegistration(app, event, { name: 'Somebody Else' })
  const foreign = await makeClub(app, fixture.sudo.token)
  const foreignTicket = await makeRegistration(app, await makeEvent(app, foreign.token), { name: 'Foreign One' })
  const scanId = await makeConflict('Walter Quorvath', [{ qId: why?.id ?? 0, answer: 'Late' }])
  const keys = [`registration:${ticket.id}`, `registration:${foreignTicket.id}`, `conflict:${scanId}`]
  const asked = { clubId: fixture.club.id, keys: keys.join(',') }
  const file = await app.raw(personalDataApi.downloadRecords, asked, { authorization: token })
  const workbook = await readXlsx(Buffer.from(await file.arrayBuffer()))
  const rows = (workbook.sheets[0]?.rows ?? []).map((row) => row.map(String))
  const facts = rows.map(([, what, value]) => `${what}: ${value}`)
  expect(facts).toEqual(
    expect.arrayContaining([
      ...[`Name: ${person.name}`, `E-mail: ${person.email}`, `Phone: ${person.phone}`, 'Status: Confirmed'],
      ...['Why?: Because', 'Voucher: Drinks: Beer: 0 of 2 used', 'Name: Walter Quorvath', 'Why?: Late'],
    ]),
  )
  expect(facts.some((fact) => fact.startsWith('Checked in at: '))).toBe(true)
  expect(facts.join()).not.toContain(other.registrationData.name)
  expect(facts.join()).not.toContain('Foreign One')
  expect(facts.join()).not.toContain(ticket.qrUuid)
})

describe('deleting', () => {
  test('leaves nothing of a person in any column, and of all others everything', async () => {
    const { event } = fixture
    const [why] = await makeForm(app, token, event.id, [{ typeId: 0, text: 'Why?', required: false, options: [] }])
    const others = [{ qId: why?.id ?? 0, answer: 'Because Wobblefrock' }]
    const ticket = await makeRegistration(app, event, { ...person, others })
    await makeRegistration(app, event, { name: 'Somebody Else', email: 'else@example.org' })
    await app.finishMails()
    await goPast()
    expect(await erase([`registration:${ticket.id}`])).toEqual({ deleted: 1, kept: [] })
    for (const text of ['Quorvath', person.email, '55512399', 'Wobblefrock', ticket.qrUuid])
      expect(await placesOf(app.deps.db, text)).toEqual([])
    const list = { eventId: event.id, searchKeyword: '', sortBy: 'name' as const, limit: 10 }
    const { attendees } = await app.call(attendeeApi.getAttendees, list, token)
    expect(attendees.map(({ registration }) => registration.registrationData.name)).toEqual(['', 'Somebody Else'])
    // Repeated, as after a lost answer.
    expect(await erase([`registration:${ticket.id}`])).toEqual({ deleted: 1, kept: [] })
    const { entries } = await app.call(historyApi.getHistory, { clubId: fixture.club.id }, token)
    expect(entries.filter(({ action }) => action === 'Personal data of one person deleted')).toHaveLength(1)
    const one = { registrationId: ticket.id, eventId: event.id }
    const [latest] = await app.call(attendeeApi.getTimeline, one, token)
    expect(latest?.text).toBe('Personal data deleted')
  })

  test('keeps a place at an event that is not over, until it is cancelled', async () => {
    const ticket = await makeRegistration(app, fixture.event, person)
    const key = `registration:${ticket.id}`
    expect(await erase([key])).toMatchObject({ deleted: 0, kept: [{ key, kept: 'upcoming' }] })
    expect(await keysOf('Quorvath')).toEqual([key])
    await cancel(ticket)
    // They are told first.
    expect(await erase([key])).toMatchObject({ deleted: 0, kept: [{ key, kept: 'mail' }] })
    await app.finishMails()
    expect(app.sent.some(({ to }) => to === person.email)).toBe(true)
    expect(await erase([key])).toEqual({ deleted: 1, kept: [] })
    expect(await placesOf(app.deps.db, 'Quorvath')).toEqual([])
  })

  test('keeps whoever registered others, as long as these have places', async () => {
    const input = { ...registrationFor(fixture.event, person), companions: [companion()] }
    const { savedRegistration: first } = await app.call(registrationApi.initRegistration, input)
    await cancel(first)
    await app.finishMails()
    expect(await erase([`registration:${first.id}`])).toMatchObject({ deleted: 0, kept: [{ kept: 'order' }] })
    await goPast()
    expect(await erase([`registration:${first.id}`])).toEqual({ deleted: 1, kept: [] })
  })

  test('of somebody who was registered by another leaves the page of the order as it is', async () => {
    const companions = [companion({ name: 'Kid Quorvath' }), companion()]
    const answer = await app.call(registrationApi.initRegistration, {
      ...registrationFor(fixture.event, person),
      companions,
    })
    const kid = answer.registrations?.[1]
    if (!kid || !answer.order) throw new Error('no order')
    await cancel(kid)
    await app.finishMails()
    expect(await erase([`registration:${kid.id}`])).toEqual({ deleted: 1, kept: [] })
    const { id: orderId, secret } = answer.order
    expect((await app.call(orderApi.getOrder, { orderId, secret })).tickets).toHaveLength(3)
    expect(await placesOf(app.deps.db, 'Kid Quorvath')).toEqual([])
  })

  test('of whoever has a ticket leaves what is kept of whoever had it before, and nobody reads of the other', async () => {
    const ticket = await makeRegistration(app, fixture.event, { name: 'Ann Before', email: 'ann@example.org' })
    const { id: registrationId, qrUuid } = ticket
    await app.call(ticketApi.handOn, {
      payload: { registrationId, qrUuid, registrationData: { ...person, others: [] } },
    })
    await app.finishMails()
    await goPast()
    const key = `registration:${ticket.id}`
    const giver = (await keysOf('ann before')).join()
    const sheetOf = async (keys: string) => {
      const file = await app.raw(
        personalDataApi.downloadRecords,
        { clubId: fixture.club.id, keys },
        { authorization: token },
      )
      const workbook = await readXlsx(Buffer.from(await file.arrayBuffer()))
      return (workbook.sheets[0]?.rows ?? []).map((row) => row.map(String).join(' ')).join('\n')
    }
    const [theirs, givers] = [await sheetOf(key), await sheetOf(giver)]
    expect(theirs).not.toContain('Ann Before')
    expect(theirs).not.toMatch(/Registered$/m)
    expect(givers).toMatch(/Registered$/m)
    expect(givers).toContain('Given to somebody else')
    expect(givers).not.toContain('Quorvath')
    expect(await erase([key])).toEqual({ deleted: 1, kept: [] })
    for (const text of ['Quorvath', person.email]) expect(await placesOf(app.deps.db, text)).toEqual([])
    const [former] = (await find('ann before')).records
    expect(former).toMatchObject({ kind: 'holder', email: 'ann@example.org' })
    expect(await placesOf(app.deps.db, 'ann@example.org')).toContain('mails.recipient')

    // Nor is anybody left over when the event's own time has come.
    app.clock.now = new Date(fixture.event.endsAt.getTime() + 400 * 24 * 60 * 60_000)
    await queueErasures(app.deps.db, new Date(app.clock.now.getTime() - 7 * 24 * 60 * 60_000))
    await queueErasures(app.deps.db, app.clock.now)
    await app.finishMails()
    for (const text of ['Ann Before', 'ann@example.org']) expect(await placesOf(app.deps.db, text)).toEqual([])
  })

  test('is done by those who manage attendees, for their own club', async () => {
    const ticket = await makeRegistration(app, fixture.event, person)
    const given = await makeRegistration(app, fixture.event, { name: 'Hugo Quorvath', email: 'hugo@example.org' })
    const registrationData = { name: 'Bo', email: 'bo@example.org', phone: '030 7654321', others: [] }
    await app.call(ticketApi.handOn, {
      payload: { registrationId: given.id, qrUuid: given.qrUuid, registrationData },
    })
    const scanId = await makeConflict('Walter Quorvath')
    await app.finishMails()
    const holder = (await keysOf('hugo')).join()
    const other = await makeClub(app, fixture.sudo.token)
    const { member } = await makeMember(app, { clubId: fixture.club.id, token }, 'treasurer')
    await goPast()
    const keys = [`registration:${ticket.id}`, `conflict:${scanId}`, holder]
    const foreign = await tokenFor(app, other.admin.id)
    await refusalOf(erase(keys, foreign), 'NOT_FOUND')
    const payload = { clubId: other.club.id, keys }
    expect(await app.call(personalDataApi.deleteRecords, { payload }, foreign)).toEqual({ deleted: 0, kept: [] })
    await refusalOf(erase(keys, await tokenFor(app, member.id)), 'NOT_ALLOWED')
    expect((await keysOf('quorvath')).sort()).toEqual([...keys].sort())
    const many = Array.from({ length: MOST_RECORDS + 1 }, () => 'registration:1').join(',')
    await refusalOf(
      app.call(personalDataApi.downloadRecords, { clubId: fixture.club.id, keys: many.split(',') }, token),
      'INVALID_INPUT',
    )
  })
})
