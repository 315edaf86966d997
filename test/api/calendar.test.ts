import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { eventApi } from '../../src/contract/events.ts'
import type { Registration } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import type { Mail } from '../../src/server/mail/mailer.ts'
import { makeFixture, makeRegistration } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
beforeEach(() => {
  app.sent.length = 0
})
afterAll(() => app.stop())

/** The parsed calendar file of a mail. */
function calendarIn(mail: Mail | undefined) {
  const file = mail?.attachments?.find(({ filename }) => filename.endsWith('.ics'))
  const text = file?.content.toString().replace(/\r\n /g, '') ?? ''
  const line = (name: string) => new RegExp(`^${name}[:;](.*)\r$`, 'm').exec(text)?.[1]
  return {
    type: file?.contentType,
    method: line('METHOD'),
    uid: line('UID'),
    sequence: Number(line('SEQUENCE')),
    status: line('STATUS'),
    organizer: line('ORGANIZER'),
  }
}

/** The calendar file of the latest mail. */
async function latest() {
  await app.finishMails()
  return calendarIn(app.sent.at(-1))
}

const setStatus = ({ id, eventId }: Registration, status: Registration['status'], token: string) =>
  app.call(attendeeApi.updateStatus, { payload: { id, eventId, status } }, token)

test('a cancelled registration takes its entry out of the calendar, a confirmed one brings it back', async () => {
  const { event, token, club } = await makeFixture(app)
  await app.deps.db.updateTable('clubs').set({ email: 'club@example.org' }).where('id', '=', club.id).execute()
  const registration = await makeRegistration(app, event)
  const first = await latest()
  expect(first).toMatchObject({ method: 'PUBLISH', status: 'CONFIRMED' })
  expect(first.organizer).toContain('club@example.org')
  await setStatus(registration, 'cancelled', token)
  const gone = await latest()
  expect(gone).toEqual({
    ...first,
    type: 'text/calendar; charset=utf-8; method=CANCEL',
    method: 'CANCEL',
    status: 'CANCELLED',
    sequence: first.sequence + 1,
  })
  await setStatus(registration, 'confirmed', token)
  const back = await latest()
  expect(back).toEqual({ ...first, sequence: gone.sequence + 1 })
})

test('the ticket’s mail has a link to its calendar file', async () => {
  const { event } = await makeFixture(app)
  await makeRegistration(app, event)
  const entry = await latest()
  const [, path] = /^Add to calendar: https:\/\/turnout\.test(\S+)$/m.exec(app.sent.at(-1)?.text ?? '') ?? []
  const answer = await fetch(app.url + path)
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(await answer.text()).toContain(`UID:${entry.uid}\r\n`)
})

test('calendar files keep to the format: lines of 75 bytes at most, text escaped, and no quotation mark in the organizer’s name', async () => {
  const { event, club } = await makeFixture(app, {
    name: 'Größtes; Sommerfest, mit \\ Überraschungen für alle Mitglieder und ihre Gäste 夏祭り夏祭り夏祭り',
    location: 'حفلة الصيف في نادي التجديف على البحيرة الكبيرة في برلين',
  })
  const named = { name: 'Club "Ufer"; e. V.', email: 'club@example.org' }
  await app.deps.db.updateTable('clubs').set(named).where('id', '=', club.id).execute()
  await makeRegistration(app, event)
  await app.finishMails()
  const ofTicket = app.sent
    .at(-1)
    ?.attachments?.find(({ filename }) => filename === 'event.ics')
    ?.content.toString()
  const feed = await (await fetch(`${app.url}/club/${club.id}/events.ics`)).text()
  for (const file of [ofTicket ?? '', feed]) {
    expect(file).toMatch(/END:VCALENDAR\r\n$/)
    for (const line of file.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(line).not.toMatch(/[\r\n\ufffd]/)
    }
    const whole = file.replace(/\r\n /g, '')
    expect(whole).toContain('SUMMARY:Größtes\\; Sommerfest\\, mit \\\\ Überraschungen')
    expect(whole).toContain('ORGANIZER;CN="Club ’Ufer’; e. V.":mailto:club@example.org')
  }
})

test('a new time updates the entry, and calling the event off takes it out', async () => {
  const { event, token } = await makeFixture(app)
  const { id, qrUuid } = await makeRegistration(app, event)
  const first = await latest()
  const moved = new Date(event.startsAt.getTime() + 3_600_000)
  await app.call(eventApi.save, { id: event.id, startsAt: moved, tellAttendees: true }, token)
  const updated = await latest()
  expect(updated).toMatchObject({ method: 'PUBLISH', uid: first.uid, status: 'CONFIRMED' })
  expect(updated.sequence).toBeGreaterThan(first.sequence)
  await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
  const gone = await latest()
  expect(app.sent.at(-1)?.subject).toBe('Cancelled: Summer party')
  expect(gone).toMatchObject({ method: 'CANCEL', uid: first.uid, status: 'CANCELLED' })
  expect(gone.sequence).toBeGreaterThan(updated.sequence)
  const file = await app.raw(ticketApi.getCalendarFile, { registrationId: id, qrUuid })
  expect(await file.text()).toContain('STATUS:CANCELLED')
})

test('the calendar file of an event is public, that of a draft is not, and the feed has all public events', async () => {
  const opens = new Date(app.clock.now.getTime() + 60 * 60_000)
  const { event, club, token } = await makeFixture(app, { registrationOpensAt: opens })
  const read = async (path: string) => {
    const answer = await fetch(app.url + path)
    const text = (await answer.text()).replace(/\r\n /g, '')
    return { status: answer.status, type: answer.headers.get('content-type'), text }
  }
  const file = `/api/event/getCalendarFile?eventId=${event.id}`
  const { status, type, text } = await read(file)
  expect([status, type]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(text).toContain(`SUMMARY:${event.name}`)
  expect(text).toContain('TRIGGER:-P1D')
  const reminder = (await read(`${file}&of=opening`)).text
  expect(reminder).toContain(`SUMMARY:Registration opens: ${event.name}`)
  expect(reminder).toContain(`DTSTART:${opens.toISOString().replace(/[-:]|\.\d+/g, '')}`)
  const other = await app.call(
    eventApi.save,
    { name: 'Secret plans', startsAt: event.startsAt, endsAt: event.endsAt, status: 'draft' },
    token,
  )
  expect((await read(`/api/event/getCalendarFile?eventId=${other.id}`)).status).toBe(404)
  const feed = await read(`/club/${club.id}/events.ics`)
  expect([feed.status, feed.type]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(feed.text).toContain(`SUMMARY:${event.name}`)
  expect(feed.text).not.toContain('Secret plans')
  // Programs read it again by themselves, and nobody is busy because of it.
  for (const line of ['REFRESH-INTERVAL;VALUE=DURATION:PT4H', 'TRANSP:TRANSPARENT']) expect(feed.text).toContain(line)
  expect(text).not.toContain('TRANSP')
  expect(reminder).toContain('TRANSP:TRANSPARENT')
  for (const none of ['999999', '0', 'x']) expect((await read(`/club/${none}/events.ics`)).status).toBe(404)
})
