import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi } from '../../src/contract/forms.ts'
import { makeExtras, makeFixture, makeForm, makeRegistration } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const question = { typeId: 2, text: 'Meal', required: true, options: ['Fish', 'Beans'], showAtDoor: true }

test('a copy has the form, the vouchers and the times of day, but nobody is registered for it', async () => {
  const { event, token } = await makeFixture(app, {
    description: 'Bring **friends**.',
    location: 'Boathouse',
    maxAttendees: 50,
    timeZone: 'Europe/Berlin',
    // 19:00 in winter time; registration closes the evening before.
    startsAt: new Date('2027-03-20T18:00:00Z'),
    endsAt: new Date('2027-03-20T22:00:00Z'),
    registrationClosesAt: new Date('2027-03-19T18:00:00Z'),
  })
  await makeForm(app, token, event.id, [question, { ...question, text: 'Shirt' }])
  await makeExtras(app, token, event.id, { name: 'Drinks', content: [{ name: 'Drink', quantity: 3 }], maxQuantity: 5 })
  const [meal, shirt] = await app.call(formApi.getFormQuestions, { eventId: event.id })
  const others = [meal, shirt].map((each) => ({ qId: each?.id ?? 0, answer: 'Fish' }))
  const [drinks] = await app.call(extrasApi.getExtras, { eventId: event.id })
  await makeRegistration(app, event, { others, extrasIds: [drinks?.id ?? 0] })

  // 19:00 in summer time.
  const startsAt = new Date('2027-04-03T17:00:00Z')
  const copy = await app.call(eventApi.copy, { payload: { eventId: event.id, startsAt } }, token)
  expect(copy).toMatchObject({
    name: event.name,
    description: 'Bring **friends**.',
    location: 'Boathouse',
    maxAttendees: 50,
    status: 'draft',
    registrationCount: 0,
    startsAt,
    endsAt: new Date('2027-04-03T21:00:00Z'),
    registrationClosesAt: new Date('2027-04-02T17:00:00Z'),
    registrationOpensAt: null,
  })
  expect(copy.id).not.toBe(event.id)
  const form = await app.call(formApi.getFormQuestions, { eventId: copy.id }, token)
  expect(form.map(({ text, options, required, showAtDoor }) => ({ text, options, required, showAtDoor }))).toEqual(
    ['Meal', 'Shirt'].map((text) => ({ text, options: ['Fish', 'Beans'], required: true, showAtDoor: true })),
  )
  expect(form.map(({ id }) => id)).not.toContain(meal?.id)
  const [voucher, ...more] = await app.call(extrasApi.getExtras, { eventId: copy.id }, token)
  expect(voucher).toMatchObject({
    name: 'Drinks',
    content: [{ name: 'Drink', quantity: 3 }],
    maxQuantity: 5,
    soldCount: 0,
  })
  expect(more).toEqual([])
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
  for (const none of ['999999', '0', 'x']) expect((await read(`/club/${none}/events.ics`)).status).toBe(404)
})

test('a poster is made for a published event alone', async () => {
  const location = 'Boathouse Lane 4'
  const { event, token } = await makeFixture(app, { name: 'Annual General Meeting and Summer Party', location })
  const poster = (size: string, eventId = event.id) =>
    fetch(`${app.url}/api/event/getPoster?eventId=${eventId}&size=${size}`, { headers: { authorization: token } })
  for (const size of ['A4', 'A3']) {
    const answer = await poster(size)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const data = new Uint8Array(await answer.arrayBuffer())
    const document = await getDocument({ data, useSystemFonts: false, disableFontFace: true, verbosity: 0 }).promise
    expect(document.numPages).toBe(1)
    const { items } = await (await document.getPage(1)).getTextContent()
    const text = items.map((item) => ('str' in item ? item.str : '')).join('')
    for (const part of ['Annual General', 'Summer Party', 'Friday 27/11/2026', location, 'Scan and register', 'Free'])
      expect(text).toContain(part)
  }
  expect((await poster('A0')).status).toBe(422)
  await app.call(eventApi.save, { id: event.id, status: 'draft' }, token)
  expect((await poster('A4')).status).toBe(404)
})

test('a drawn cover follows from its address and never changes', async () => {
  const cover = async (file: string) => {
    const answer = await fetch(`${app.url}/cover/${file}`)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const one = await cover('0a1b2c3d-6464d3.svg')
  expect([one.status, one.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(one.headers.get('cache-control')).toContain('immutable')
  expect((await cover('0a1b2c3d-6464d3.svg')).text).toBe(one.text)
  expect((await cover('0a1b2c3e-6464d3.svg')).text).not.toBe(one.text)
  for (const wrong of ['x.svg', '0a1b2c3d-6464d3.png', '0a1b2c3d-64.svg']) expect((await cover(wrong)).status).toBe(404)
})
