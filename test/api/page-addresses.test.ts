import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { buildApp } from '../../src/server/app.ts'
import { connect } from '../../src/server/db/connect.ts'
import { makeClub, makeEvent, makeExtras, makeFixture, makeRegistration } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { writeShells } from '../support/write-shells.ts'

let app: TestApp
let webDir: string
let site: FastifyInstance
beforeAll(async () => {
  app = await startApp()
  webDir = mkdtempSync(join(tmpdir(), 'turnout-web-'))
  writeShells(webDir, { staff: '<meta name="version" content="__VERSION__" /><!--head--><div id="root"></div>' })
  site = await buildApp(app.deps, { webDir, isServing: () => true })
})
afterAll(async () => {
  await site.close()
  rmSync(webDir, { recursive: true })
  await app.stop()
})

const open = (url: string) => site.inject({ url })
const statusOf = async (url: string) => (await open(url)).statusCode

test('an unknown address, and one of an object that does not exist, answers 404 with the app’s page', async () => {
  const { event, club, token, sudo } = await makeFixture(app)
  const draft = await makeEvent(app, token, { status: 'draft' })
  const removed = await makeEvent(app, token)
  await app.call(eventApi.removeEvent, { eventId: removed.id }, token)
  const other = await makeClub(app, sudo.token)
  for (const url of [
    '/asdf',
    '/event',
    '/club/abc/event',
    '/club/999999/event',
    `/club/${club.id}/event/999999`,
    `/club/${club.id}/event/${draft.id}`,
    `/club/${club.id}/event/${removed.id}`,
    `/club/${other.club.id}/event/${event.id}`,
    `/club/${other.club.id}/event/${event.id}/success`,
    '/page/imprint',
    '/not-found/404',
  ]) {
    const answer = await open(url)
    expect([url, answer.statusCode]).toEqual([url, 404])
    expect(answer.headers['content-type']).toContain('text/html')
    expect(answer.body).toBe('<meta name="version" content="1" /><div id="root"></div>')
  }
  for (const url of [
    '/',
    '/signin?next=%2Fdashboard',
    '/page/terms',
    `/club/${club.id}/event`,
    `/club/${club.id}/event/${event.id}`,
    `/club/${club.id}/event/${event.id}/success?registration_id=1`,
    // Strangers must not learn whether a staff page has something to show.
    '/event/999999/attendees',
    '/event/1/scanner/main',
  ])
    expect([url, await statusOf(url)]).toEqual([url, 200])
})

test('a ticket or voucher answers 200 only with its secret, and reveals nothing without it', async () => {
  const { event, token } = await makeFixture(app)
  const { id: extrasId } = await makeExtras(app, token, event.id)
  const ticket = await makeRegistration(app, event, { extrasIds: [extrasId] })
  const asked = { registrationId: ticket.id, qrUuid: ticket.qrUuid }
  const [voucher] = (await app.call(ticketApi.getRegistration, asked)).extras
  expect(await statusOf(`/qr/${ticket.id}/${ticket.qrUuid}`)).toBe(200)
  expect(await statusOf(`/qr/${ticket.id}/${ticket.qrUuid.toUpperCase()}#give-back`)).toBe(200)
  expect(await statusOf(`/qr/${voucher?.id}/${voucher?.qrUuid}?type=voucher`)).toBe(200)
  const nobody = await open(`/qr/999999/${randomUUID()}`)
  for (const url of [`/qr/${ticket.id}/${randomUUID()}`, `/qr/${ticket.id}/x`, `/qr/999999/${ticket.qrUuid}`]) {
    const answer = await open(url)
    expect([url, answer.statusCode, answer.body]).toEqual([url, 404, nobody.body])
    expect(answer.headers['x-robots-tag']).toBe('noindex')
  }
})

test('pages are served while the database is unreachable', async () => {
  const db = connect('postgres://nobody@127.0.0.1:1/nothing')
  const away = await buildApp({ ...app.deps, db }, { webDir, isServing: () => true })
  expect((await away.inject({ url: '/club/1/event/1' })).statusCode).toBe(200)
  expect((await away.inject({ url: '/asdf' })).statusCode).toBe(404)
  await away.close()
  await db.destroy()
})
