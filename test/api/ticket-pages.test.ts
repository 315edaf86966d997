import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import type { Event } from '../../src/contract/event.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { buildApp } from '../../src/server/app.ts'
import { connect } from '../../src/server/db/connect.ts'
import { renderer } from '../../src/web/rendering/render.tsx'
import { type PayingApp, startPayingApp } from '../support/bank.ts'
import { makeExtras, makeFixture, makeRegistration } from '../support/make.ts'
import type { TestApp } from '../support/start-app.ts'
import { writeShells } from '../support/write-shells.ts'

let paying: PayingApp
let app: TestApp
let webDir: string
let site: FastifyInstance
beforeAll(async () => {
  paying = await startPayingApp()
  app = paying.app
  webDir = mkdtempSync(join(tmpdir(), 'turnout-web-'))
  writeShells(webDir)
  site = await buildApp(app.deps, { webDir, renderer, isServing: () => true })
})
afterAll(async () => {
  await site.close()
  rmSync(webDir, { recursive: true })
  await paying.stop()
})

const addressOf = ({ clubId, id }: Event) => `/club/${clubId}/event/${id}`
const get = (url: string) => site.inject({ url, headers: { 'accept-encoding': 'br' } })

test('a ticket is whole in its HTML: its code, those of its vouchers, and its files', async () => {
  const { event, token } = await makeFixture(app, { name: 'Whole', currency: 'eur' })
  const { id: extrasId } = await makeExtras(app, token, event.id, { name: 'Drinks' })
  const ticket = await makeRegistration(app, event, { extrasIds: [extrasId] })
  const holder = { registrationId: ticket.id, qrUuid: ticket.qrUuid }
  const [voucher] = (await app.call(ticketApi.getRegistration, holder)).extras
  const page = await get(`/qr/${ticket.id}/${ticket.qrUuid}`)
  expect(page.headers['x-robots-tag']).toBe('noindex')
  expect(page.headers['content-encoding']).toBeUndefined()
  for (const part of [
    '<title data-server>Ticket: Whole | Turnout</title>',
    'aria-label="QR code of this ticket"',
    'aria-label="QR code of the voucher Drinks"',
    `href="/api/registration/getTicketPdf?registrationId=${ticket.id}`,
    'page-data',
  ])
    expect(page.body).toContain(part)
  const own = await get(`/qr/${voucher?.id}/${voucher?.qrUuid}?type=voucher`)
  expect(own.body).toContain('aria-label="QR code of the voucher Drinks"')
  expect(own.body).not.toContain(ticket.qrUuid)
})

test('the pages of an unpaid registration say what it costs, and show no code', async () => {
  const { event: paid, token } = await makeFixture(app, { name: 'Costs', ticketPrice: 3500, currency: 'eur' })
  const { id: drinks } = await makeExtras(app, token, paid.id, { name: 'Drinks', price: 1200 })
  const unpaid = await makeRegistration(app, paid, { extrasIds: [drinks, drinks] })
  const success = `${addressOf(paid)}/success?registration_id=${unpaid.id}&qrUuid=${unpaid.qrUuid}`
  for (const url of [`/qr/${unpaid.id}/${unpaid.qrUuid}`, success]) {
    const { body } = await get(url)
    const text = body.replace(/<!-- -->|<[^>]*>/g, ' ').replace(/\s+/g, ' ')
    expect(text).toContain('Ticket €35.00 2 × Drinks €24.00 Total €59.00')
    expect(text).toContain('Costs')
    expect(body).not.toContain('QR code of')
  }
})

test('an address with a wrong secret says that there is no ticket, and nothing else', async () => {
  const { event } = await makeFixture(app)
  const { id, qrUuid } = await makeRegistration(app, event, { name: 'Secret Sam' })
  for (const url of [
    `/qr/${id}/${qrUuid.replace(/^./, 'x')}`,
    `/qr/${id}/${qrUuid}?type=voucher`,
    `/qr/999999/${qrUuid}`,
    // With text glued to it, as mail programs do.
    `/qr/${id}/${qrUuid}${'x'.repeat(100)}`,
    `/qr/${id}/%07?type=voucher`,
    `${addressOf(event)}/success`,
    `${addressOf(event)}/success?registration_id=${id}&qrUuid=wrong`,
  ]) {
    const answer = await get(url)
    expect([url, answer.statusCode]).toEqual([url, 404])
    expect(answer.headers['x-robots-tag']).toBe('noindex')
    expect(answer.body).toContain('We cannot find this ticket')
    expect(answer.body).not.toContain('Secret Sam')
  }
})

test('paying without script for a registration that is gone says that there is no ticket', async () => {
  const { event, token } = await makeFixture(app, { ticketPrice: 3500, currency: 'eur' })
  const { id, qrUuid } = await makeRegistration(app, event)
  await app.call(attendeeApi.removeRegistration, { registrationId: id, eventId: event.id }, token)
  const answer = await site.inject({
    method: 'POST',
    url: `${addressOf(event)}/success?registration_id=${id}&qrUuid=${qrUuid}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: '',
  })
  expect(answer.statusCode).toBe(404)
  expect(answer.body).toContain('We cannot find this ticket')
})

test('programs that follow the links of a mail do not make it read', async () => {
  const { event } = await makeFixture(app)
  const { id, qrUuid } = await makeRegistration(app, event)
  const url = `/qr/${id}/${qrUuid}`
  await get(url)
  await site.inject({ method: 'HEAD', url })
  const row = await app.deps.db.selectFrom('registrations').select('openedAt').where('id', '=', id).executeTakeFirst()
  expect(row).toEqual({ openedAt: null })
})

test('without the database the browser renders a ticket itself, and no search engine keeps the address', async () => {
  const db = connect('postgres://nobody@127.0.0.1:1/none', { onError: () => {} })
  const away = await buildApp({ ...app.deps, db }, { webDir, renderer, isServing: () => true })
  const answer = await away.inject({ url: '/qr/1/x' })
  expect([answer.statusCode, answer.body]).toEqual([200, '<html lang="en"><div id="root"><!--page--></div><!--data-->'])
  expect(answer.headers['x-robots-tag']).toBe('noindex')
  await away.close()
  await db.destroy()
})
