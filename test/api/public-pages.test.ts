import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clubApi } from '../../src/contract/clubs.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { buildApp } from '../../src/server/app.ts'
import { connect } from '../../src/server/db/connect.ts'
import { renderer } from '../../src/web/rendering/render.tsx'
import { makeEvent, makeExtras, makeFixture, makeForm, makeRegistration } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { writeShells } from '../support/write-shells.ts'

let app: TestApp
let webDir: string
let site: FastifyInstance
beforeAll(async () => {
  app = await startApp()
  webDir = mkdtempSync(join(tmpdir(), 'turnout-web-'))
  writeShells(webDir)
  site = await buildApp(app.deps, { webDir, renderer, isServing: () => true })
})
afterAll(async () => {
  await site.close()
  rmSync(webDir, { recursive: true })
  await app.stop()
  // Stopping takes its time on a busy machine.
}, 90_000)

const addressOf = ({ clubId, id }: Event) => `/club/${clubId}/event/${id}`
const open = async (url: string) => (await site.inject({ url })).body
const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
const send = (url: string, fields: Record<string, string>, headers: Record<string, string> = form) =>
  site.inject({ method: 'POST', url, headers, body: new URLSearchParams(fields).toString() })

test('the bar offers to sign in, but not on the page for it', async () => {
  const link = /<a class="when-signed-out" href="\/signin"/
  expect(await open('/')).toMatch(link)
  const page = await open('/signin')
  expect(page).toContain('class="when-signed-in"')
  expect(page).not.toMatch(link)
})

test('the pages of a club contain all that they show, escaped, and the data for the script', async () => {
  const { event, club, token } = await makeFixture(app, {
    name: 'Tom & <b>Ann</b>',
    description: '**Bring** </script> shoes',
    maxAttendees: 3,
  })
  await makeForm(app, token, event.id, [{ typeId: 2, text: 'Meal?', required: true, options: ['Meat', 'Vegan'] }])
  await makeExtras(app, token, event.id, { name: 'Drinks' })
  const html = await open(addressOf(event))
  for (const part of [
    'Tom &amp; &lt;b&gt;Ann&lt;/b&gt;',
    '<strong>Bring</strong>',
    'Meal?',
    'Vegan',
    'Drinks',
    '3 places left',
  ])
    expect(html).toContain(part)
  expect(html).toContain('data-rendered="whole"')
  const data = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
  expect(JSON.parse(data).answers).toHaveLength(5)
  // The description cannot close the script element.
  expect(html.split('</script>')).toHaveLength(3)
  const linked = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
  expect(JSON.parse(linked)).toMatchObject({
    '@type': 'Event',
    name: 'Tom & <b>Ann</b>',
    startDate: event.startsAt.toISOString(),
    offers: { price: '0', availability: 'https://schema.org/InStock' },
  })
  const daysAgo = (days: number) => new Date(app.clock.now.getTime() - days * 24 * 60 * 60_000)
  const past = await makeEvent(app, token, { name: 'Last month', startsAt: daysAgo(30), endsAt: daysAgo(29) })
  const old = await makeEvent(app, token, { name: 'Long ago', startsAt: daysAgo(120), endsAt: daysAgo(119) })
  const list = await open(`/club/${club.id}/event`)
  expect(list).toContain(club.name)
  expect(list).toContain(addressOf(event))
  const [upcoming = '', gone = ''] = list.split('Past events')
  expect([upcoming.includes(addressOf(event)), gone.includes(addressOf(past))]).toEqual([true, true])
  expect(list).not.toContain(addressOf(old))
})

test('a page shows every change at once, however often it is asked for', async () => {
  const { event, club, token } = await makeFixture(app, { maxAttendees: 10 })
  const seats = async () => /(\d+) places? left/.exec(await open(addressOf(event)))?.[1]
  for (let left = 10; left > 6; left--) {
    expect(await Promise.all([seats(), seats(), seats()])).toEqual(Array(3).fill(String(left)))
    await makeRegistration(app, event)
  }
  await app.call(eventApi.save, { id: event.id, name: 'Renamed' }, token)
  expect(await open(addressOf(event))).toContain('Renamed')
  await app.call(clubApi.save, { id: club.id, name: 'Another name' }, token)
  expect(await open(`/club/${club.id}/event`)).toContain('Another name')
  await app.call(eventApi.removeEvent, { eventId: event.id }, token)
  expect((await site.inject({ url: addressOf(event) })).statusCode).toBe(404)
})

test('registration that opens by the clock is open on the page at that moment', async () => {
  const { event } = await makeFixture(app, { registrationOpensAt: new Date('2026-11-25T10:00:00Z') })
  app.clock.now = new Date('2026-11-25T09:59:00Z')
  expect(await open(addressOf(event))).toContain('Registration opens on 25/11/2026')
  app.clock.now = new Date('2026-11-25T10:00:00Z')
  // The page is rendered at most once a second.
  await expect.poll(() => open(addressOf(event))).not.toContain('Registration opens on')
})

test('a missing object is a page with 404; without the database the browser renders the page', async () => {
  const { event, token } = await makeFixture(app)
  const draft = await makeEvent(app, token, { status: 'draft' })
  for (const url of ['/nothing', '/page/imprint', '/club/999999/event', addressOf(draft)]) {
    const answer = await site.inject({ url })
    expect([url, answer.statusCode]).toEqual([url, 404])
    expect(answer.body).toContain('data-rendered="missing"')
    expect(answer.body).not.toContain('page-data')
  }
  expect(await open('/not-found/403/No%20%3Centry%3E')).toContain('No &lt;entry&gt;')
  const db = connect('postgres://nobody@127.0.0.1:1/none', { onError: () => {} })
  const away = await buildApp({ ...app.deps, db }, { webDir, renderer, isServing: () => true })
  const answer = await away.inject({ url: addressOf(event) })
  expect([answer.statusCode, answer.body]).toEqual([200, '<html lang="en"><div id="root"><!--page--></div><!--data-->'])
  await away.close()
  await db.destroy()
})

test('pages are compressed except those with a secret, are never cached, and have the server’s time', async () => {
  const { event } = await makeFixture(app)
  const get = (url: string, accepted: string) => site.inject({ url, headers: { 'accept-encoding': accepted } })
  const plain = await get(addressOf(event), 'identity')
  expect(brotliDecompressSync((await get(addressOf(event), 'gzip, br')).rawPayload).toString()).toBe(plain.body)
  expect(gunzipSync((await get(addressOf(event), 'gzip')).rawPayload).toString()).toBe(plain.body)
  expect(plain.headers['cache-control']).toBe('no-store')
  expect(plain.headers['server-timing']).toBe(`now;desc="${app.deps.now().toISOString()}"`)
  expect(plain.headers['content-security-policy']).toContain("style-src 'self';")
  const list = await get('/offline-files.json?build=en', 'gzip')
  expect(JSON.parse(gunzipSync(list.rawPayload).toString())).toMatchObject({ language: 'en' })
  const ticket = await makeRegistration(app, event)
  const success = await get(`${addressOf(event)}/success?registration_id=${ticket.id}&qrUuid=${ticket.qrUuid}`, 'br')
  expect(success.statusCode).toBe(200)
  expect(success.headers['content-encoding']).toBeUndefined()
  expect(success.headers['x-robots-tag']).toBe('noindex')
  expect(success.body).toContain('You are registered')
  expect((await get(`${addressOf(event)}/success?registration_id=${ticket.id}&qrUuid=wrong`, 'br')).statusCode).toBe(
    404,
  )
})

test('a form sent without JavaScript registers once, reports all errors at once, and keeps the input', async () => {
  const { event, token } = await makeFixture(app, { maxAttendees: 1 })
  const [question] = await makeForm(app, token, event.id, [{ typeId: 0, text: 'Shirt?', required: true, options: [] }])
  const url = `${addressOf(event)}?form=one`
  const wrong = await send(url, { name: 'Ida <i>', email: 'ida@', phone: '' })
  expect(wrong.statusCode).toBe(422)
  for (const part of ['Enter an e-mail address like', 'href="#field-phone"', 'Shirt?', 'value="Ida &lt;i&gt;"'])
    expect(wrong.body).toContain(part)
  const fields = { name: 'Ida', email: 'ida@example.org', phone: '+49301234567', [`question-${question?.id}`]: 'M' }
  const [one, two] = await Promise.all([send(url, fields), send(url, fields)])
  expect([one.statusCode, two.statusCode]).toEqual([303, 303])
  expect(one.headers.location).toBe(two.headers.location)
  expect(await open(String(one.headers.location))).toContain('You are registered')
  const late = await send(`${addressOf(event)}?form=two`, { ...fields, name: 'Leo', email: 'leo@example.org' })
  expect(late.statusCode).toBe(409)
  expect(late.body).toContain('role="alert"')
  const found = await send(addressOf(event), { 'registered-email': 'ida@example.org' })
  expect([found.statusCode, found.body.includes('Please check your e-mail')]).toEqual([200, true])
})

test('no form is accepted from another site, of another kind, for another page, or with absurd numbers', async () => {
  const { event, token } = await makeFixture(app)
  const { id } = await makeExtras(app, token, event.id)
  const fields = { name: 'Ida', email: 'ida@example.org', phone: '+49301234567' }
  const type = { 'content-type': form['content-type'] }
  expect((await send(addressOf(event), fields, { ...type, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
  // An older browser sends no `sec-fetch-site`; from another site it does not send the cookie either.
  expect((await send(addressOf(event), fields, type)).statusCode).toBe(403)
  const older = { ...type, cookie: 'XSRF-TOKEN=abc' }
  expect((await send(addressOf(event), fields, older)).statusCode).toBe(303)
  expect((await send(addressOf(event), fields, { ...form, 'content-type': 'text/plain' })).statusCode).toBe(415)
  expect((await send('/api/registration/initRegistration', fields)).statusCode).toBe(415)
  expect((await send(`/club/${event.clubId}/event`, fields)).statusCode).toBe(404)
  expect((await send(`/club/${event.clubId}/event/999999`, fields)).statusCode).toBe(404)
  expect((await send(`/club/x/event/y`, fields)).statusCode).toBe(404)
  const many = await send(addressOf(event), { ...fields, email: 'b@example.org', [`voucher-${id}`]: '999999999' })
  expect(many.statusCode).toBeLessThan(500)
})

test('a form that needs script comes back empty, and a form too large or with too many fields is refused at once', async () => {
  for (const path of [
    '/signin?next=%2Fprofile',
    '/register',
    '/forgot-password',
    '/reset-password',
    '/confirm-address',
  ]) {
    const answer = await send(path, { email: 'ida@example.org', password: 'secret 1' })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, path])
  }
  const { event } = await makeFixture(app)
  const large = await send(addressOf(event), { name: 'x'.repeat(200_000) })
  expect([large.statusCode, large.headers['content-type']]).toEqual([413, 'text/html; charset=utf-8'])
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [String(n), '']))
  expect((await send(addressOf(event), many)).statusCode).toBe(413)
})

test('while the database is unavailable a form is answered with a page that says so', async () => {
  const { event } = await makeFixture(app)
  const db = connect('postgres://nobody@127.0.0.1:1/none', { onError: () => {} })
  const away = await buildApp({ ...app.deps, db }, { webDir, renderer, isServing: () => true })
  const payload = new URLSearchParams({ name: 'Ida', email: 'ida@example.org', phone: '+49301234567' }).toString()
  const answer = await away.inject({ method: 'POST', url: addressOf(event), headers: form, payload })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
  expect(answer.body).toContain('That did not work')
  await away.close()
  await db.destroy()
})

test('an address written differently is the same page, and an unknown one is not found', async () => {
  const { event } = await makeFixture(app)
  const page = await open(addressOf(event))
  const stampOf = (html: string) => /"stamp":"([^"]+)"/.exec(html)?.[1]
  expect(stampOf(await open(`/CLUB/${event.clubId}/Event/${event.id}/`))).toBe(stampOf(page))
  for (const url of ['//', '///', '//a:b']) expect((await site.inject({ url })).statusCode).toBe(404)
})

test('the preview of an event without a banner is a picture of its own that changes with the event', async () => {
  const { event, token } = await makeFixture(app)
  const picture = async () => {
    const page = await open(addressOf(event))
    return /<meta property="og:image" content="(.*?)">/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  }
  const before = await picture()
  expect(before).toContain('/preview/')
  const answer = await fetch(before.replace(app.deps.settings.baseUrl, app.url))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  expect([width, height]).toEqual([1200, 630])
  await app.call(eventApi.save, { id: event.id, name: `${'Ein sehr langer Name '.repeat(5)}مرحبا 大会` }, token)
  const after = await picture()
  expect(after).not.toBe(before)
  expect((await fetch(after.replace(app.deps.settings.baseUrl, app.url))).status).toBe(200)
  await app.call(eventApi.save, { id: event.id, status: 'draft' }, token)
  expect((await fetch(`${app.url}/preview/${event.id}.jpg`)).status).toBe(404)
  expect((await fetch(`${app.url}/preview/x.jpg`)).status).toBe(404)
})

test('from the start page visitors find a club, and have their tickets mailed again', async () => {
  const { club, event, token } = await makeFixture(app)
  await app.call(clubApi.save, { id: club.id, name: 'Tom & <b>Row</b>', listed: true }, token)
  const found = await open('/clubs?name=ROW')
  expect(found).toContain('Tom &amp; &lt;b&gt;Row&lt;/b&gt;')
  expect(found).toContain(`href="/club/${club.id}/event"`)
  expect(found).not.toContain('page-data')
  expect(await open('/clubs')).toContain('Tom &amp; &lt;b&gt;Row&lt;/b&gt;')
  expect(await open(`/clubs?name=${encodeURIComponent('<i>')}`)).toContain('No club matches “&lt;i&gt;”')
  await makeRegistration(app, event, { name: 'Ada', email: 'ada@example.org' })
  await app.finishMails()
  app.sent.length = 0
  const sent = await send('/', { 'registered-email': 'ada@example.org' })
  expect([sent.statusCode, sent.body]).toEqual([200, expect.stringContaining('Please check your e-mail')])
  await app.finishMails()
  expect(app.sent.map(({ to }) => to)).toEqual(['ada@example.org'])
  const wrong = await send('/', { 'registered-email': 'ada' })
  expect([wrong.statusCode, wrong.body]).toEqual([422, expect.stringContaining('value="ada"')])
})

test('whoever has chosen no ticket is asked for one, not for the answers that another ticket needs', async () => {
  const { event, token } = await makeFixture(app)
  const eventId = event.id
  const [first] = await app.call(ticketTypeApi.getTicketTypes, { eventId })
  const ticketTypes = [{ id: first?.id }, { name: 'Child' }]
  await app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token)
  const question = { typeId: 0, text: 'Drink?', required: true, options: [], ticketTypeIds: [first?.id ?? 0] }
  await makeForm(app, token, eventId, [question])
  const fields = { name: 'Ann', email: 'ann@example.org', phone: '+49 30 1234567' }
  const { statusCode, body } = await send(`${addressOf(event)}?form=1`, fields)
  expect(statusCode).toBe(422)
  expect(body).toContain('Choose a ticket.')
  expect(body).not.toContain('Please answer this question.')
})

test('the badge of an event says the same as the heading below it, whatever its tickets have left', async () => {
  const { event, token } = await makeFixture(app)
  const eventId = event.id
  const [first] = await app.call(ticketTypeApi.getTicketTypes, { eventId })
  const early = { name: 'Early', saleClosesAt: new Date(app.clock.now.getTime() - 1) }
  const ticketTypes = [{ id: first?.id, maxQuantity: 1 }, early]
  await app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token)
  await makeRegistration(app, event)
  const texts = [
    ...(await open(addressOf(event))).matchAll(/<(?:span class="badge[^>]*|h2 id="register-heading")>([^<]+)</g),
  ]
  expect(texts.map(([, text]) => text)).toEqual(['Fully booked', 'Fully booked'])
})
