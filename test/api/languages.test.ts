import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { authApi } from '../../src/contract/auth.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { buildApp } from '../../src/server/app.ts'
import { languages } from '../../src/texts/generated/languages.ts'
import { renderer } from '../../src/web/rendering/render.tsx'
import { makeEvent, makeFixture, registrationFor } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { writeShells } from '../support/write-shells.ts'

let app: TestApp
let webDir: string
let site: FastifyInstance
beforeAll(async () => {
  app = await startApp()
  webDir = mkdtempSync(join(tmpdir(), 'turnout-web-'))
  writeShells(webDir, { staff: '<html lang="LANGUAGE"><!--head--><div id="root"></div>' })
  copyFileSync('public/manifest.webmanifest', join(webDir, 'manifest.webmanifest'))
  site = await buildApp(app.deps, { webDir, renderer, isServing: () => true })
})
afterAll(async () => {
  await site.close()
  rmSync(webDir, { recursive: true })
  await app.stop()
})

const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
const send = (url: string, fields: Record<string, string>, headers = {}) =>
  site.inject({ method: 'POST', url, headers: { ...form, ...headers }, body: new URLSearchParams(fields).toString() })

/** What a browser with this language and these cookies gets. */
async function languageAt(url: string, header = '', cookies: Record<string, string> = {}): Promise<string | undefined> {
  const { body } = await site.inject({ url, headers: { 'accept-language': header }, cookies })
  return /<html lang="([\w-]+)"/.exec(body)?.[1]
}

const germanBrowser = 'de-AT,de;q=0.9,en;q=0.8'

test('a page comes in the language chosen, else that of the link, else the browser’s, and says so', async () => {
  const { event } = await makeFixture(app)
  const page = `/club/${event.clubId}/event/${event.id}`
  expect(await languageAt(page, germanBrowser)).toBe('de')
  expect(await languageAt(`${page}?lang=fr`, germanBrowser)).toBe('fr')
  expect(await languageAt(`${page}?lang=fr`, germanBrowser, { language: 'it' })).toBe('it')
  for (const variant of ['FR', 'fr-CA']) expect(await languageAt(`${page}?lang=${variant}`, germanBrowser)).toBe('fr')
  // Nothing that Turnout speaks.
  expect(await languageAt(`${page}?lang=tlh`, 'pt', { language: 'xx' })).toBe('en')
  const { body } = await site.inject({ url: page, headers: { 'accept-language': germanBrowser } })
  for (const text of ['>Anmelden<', 'Freitag 27/11/2026', '19:00–23:00 MEZ', 'Kostenlos']) expect(body).toContain(text)
  expect(body).not.toContain('Register')
  // Pages that the browser renders, and those without a club.
  for (const other of ['/dashboard', '/', '/signin', '/nothing', '/page/terms'])
    expect([other, await languageAt(other, germanBrowser)]).toEqual([other, 'de'])
})

test('the language of a link stays for the pages opened after it, until one is chosen', async () => {
  const first = await site.inject({ url: '/?lang=es', headers: { 'accept-language': 'en' } })
  const [cookie] = first.cookies.filter(({ name }) => name === 'linkLanguage')
  expect(cookie).toMatchObject({ value: 'es', path: '/', sameSite: 'Lax' })
  expect(cookie?.maxAge).toBeUndefined()
  expect(await languageAt('/clubs', 'en', { linkLanguage: 'es' })).toBe('es')
  expect(await languageAt('/clubs', 'en', { linkLanguage: 'es', language: 'de' })).toBe('de')
  // Also beside a choice, which a club may not offer.
  const chosen = await site.inject({ url: '/?lang=es', cookies: { language: 'de' } })
  expect(chosen.cookies.map(({ name }) => name)).toContain('linkLanguage')
  expect(await languageAt('/clubs', 'en', { linkLanguage: 'es', language: 'xx' })).toBe('es')
  const unknown = await site.inject({ url: '/?lang=tlh' })
  expect(unknown.cookies.map(({ name }) => name)).not.toContain('linkLanguage')
})

test('a choice is kept for a year and returns to the page, never to another site', async () => {
  const answer = await send('/language', { language: 'fr', page: '/clubs?name=row&lang=de' })
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/clubs?name=row'])
  expect(answer.cookies).toContainEqual(
    expect.objectContaining({ name: 'language', value: 'fr', path: '/', sameSite: 'Lax', maxAge: 365 * 24 * 60 * 60 }),
  )
  for (const page of [
    'https://evil.example/',
    '//evil.example/x',
    '/\\evil.example',
    'javascript:alert(1)',
    '\t//evil',
  ])
    expect((await send('/language', { language: 'fr', page })).headers.location).toBe('/')
  for (const page of ['/.//evil.example', '/a/..//evil.example', 'http://here//evil.example'])
    expect((await send('/language', { language: 'fr', page })).headers.location).toBe('/evil.example')
  expect((await send('/language', { language: 'fr' })).headers.location).toBe('/')
  const wrong = await send('/language', { language: 'xx', page: '/clubs' }, { 'accept-language': germanBrowser })
  expect([wrong.statusCode, wrong.cookies.some(({ name }) => name === 'language')]).toEqual([422, false])
  expect(wrong.body).toContain('lang="de"')
})

test('a club’s pages come only in the languages that it offers, otherwise in its main one', async () => {
  const { event, club, token } = await makeFixture(app)
  await app.call(clubApi.save, { id: club.id, language: 'fr', languages: ['de'] }, token)
  const page = `/club/${club.id}/event`
  expect(await languageAt(page, 'en')).toBe('fr')
  expect(await languageAt(page, germanBrowser)).toBe('de')
  expect(await languageAt(page, 'en,de;q=0.5', { language: 'it' })).toBe('de')
  const { body } = await site.inject({ url: `${page}/${event.id}`, headers: { 'accept-language': 'en' } })
  const shown = [...body.matchAll(/<button type="submit" value="(\w+)"/g)].map(([, language]) => language)
  expect(shown).toEqual(['de'])
  // For search engines, an address for each language.
  expect(body).toContain(`<link rel="canonical" href="https://turnout.test${page}/${event.id}">`)
  const named = (await site.inject({ url: `${page}/${event.id}?lang=de` })).body
  for (const start of ['<link rel="canonical" href', '<meta property="og:url" content'])
    expect(named).toContain(`${start}="https://turnout.test${page}/${event.id}?lang=de">`)
  expect([...body.matchAll(/hreflang="([\w-]+)"/g)].map(([, language]) => language)).toEqual(['fr', 'de', 'x-default'])
  await app.call(clubApi.save, { id: club.id, languages: [] }, token)
  const only = await site.inject({ url: page, headers: { 'accept-language': germanBrowser } })
  expect(only.body).toContain(`<link rel="canonical" href="https://turnout.test${page}">`)
  expect(only.body).not.toContain('hreflang')
  expect(only.body).not.toContain('action="/language"')
})

test('a club cannot offer a language that Turnout does not speak', async () => {
  const { club, token } = await makeFixture(app)
  const answer = await app.raw(clubApi.save, { id: club.id, language: 'tlh' }, { authorization: token })
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ errors: [{ path: 'language', msg: 'Choose a language.' }] })
})

test('a registration remembers its language: mail, ticket, PDF and calendar follow it', async () => {
  const { event } = await makeFixture(app)
  const before = app.sent.length
  const answer = await app.raw(registrationApi.initRegistration, registrationFor(event, { email: 'd@example.org' }), {
    'accept-language': germanBrowser,
  })
  const { payload, msg } = await answer.json()
  const { id, qrUuid } = payload.savedRegistration
  expect(msg).toBe('Anmeldung erfolgreich!')
  await app.finishMails()
  const mail = app.sent[before]
  expect(mail).toMatchObject({
    subject: 'Dein Ticket: Summer party',
    fromName: expect.stringContaining(' über Turnout'),
  })
  expect(mail?.text).toContain('Freitag 27/11/2026\n19:00–23:00 MEZ')
  expect(mail?.html).toContain('<html lang="de" dir="ltr">')
  const pdf = await app.raw(ticketApi.getTicketPdf, { registrationId: String(id), qrUuid }, { 'accept-language': 'en' })
  const document = await getDocument({ data: new Uint8Array(await pdf.arrayBuffer()) }).promise
  const page = await (await document.getPage(1)).getTextContent()
  const text = page.items.map((item) => ('str' in item ? item.str : '')).join(' ')
  expect(text).toContain('Zeig diesen Code am Einlass.')
  expect(text).toContain('Freitag 27/11/2026')

  // The ticket is in its language, unless somebody chose another.
  expect(await languageAt(`/qr/${id}/${qrUuid}`, 'en')).toBe('de')
  expect(await languageAt(`/qr/${id}/${qrUuid}`, 'en', { language: 'it' })).toBe('it')
  expect(await languageAt(`/qr/${id}/wrong`, 'en')).toBe('en')
  // Also its former link, once somebody else has it.
  const registrationData = { name: 'Bo', email: 'bo@example.org', phone: '030 7654321', others: [] }
  await app.call(ticketApi.handOn, { payload: { registrationId: id, qrUuid, registrationData } })
  expect(await languageAt(`/qr/${id}/${qrUuid}`, 'en')).toBe('de')
})

test('calendar entries name the ticket in its language', async () => {
  const { event } = await makeFixture(app)
  // Those of the test before.
  await app.finishMails()
  const before = app.sent.length
  await app.raw(registrationApi.initRegistration, registrationFor(event), { 'accept-language': 'it' })
  await app.finishMails()
  const file = app.sent[before]?.attachments?.find(({ filename }) => filename === 'event.ics')
  // Long lines go on after a line break and a space (RFC 5545, 3.1).
  expect(file?.content.toString().replaceAll('\r\n ', '')).toContain('Biglietto: https://turnout.test/qr/')
})

test('people added by staff, those who name no language of ours, and those whose language the club has dropped, get mails in its main one', async () => {
  const { event, club, token } = await makeFixture(app)
  await app.call(clubApi.save, { id: club.id, language: 'it', languages: ['de', 'fr', 'en'] }, token)
  const before = app.sent.length
  const register = (email: string, headers: Record<string, string>) =>
    app.raw(registrationApi.initRegistration, registrationFor(event, { email, name: email }), headers)
  await register('french@example.org', { 'accept-language': 'fr' })
  await register('german@example.org', { 'accept-language': 'de' })
  await register('nothing@example.org', {})
  await register('anything@example.org', { 'accept-language': '*' })
  await register('portuguese@example.org', { 'accept-language': 'pt-BR' })
  await register('staff@example.org', { 'accept-language': 'en', authorization: token })
  const registrationData = { name: 'By hand', email: 'hand@example.org', phone: '', others: [] }
  const payload = { eventId: event.id, registrationData, extrasIds: [] }
  await app.raw(attendeeApi.save, { payload }, { 'accept-language': 'en', authorization: token })
  await app.call(clubApi.save, { id: club.id, languages: ['de', 'en'] }, token)
  await app.finishMails()
  const subjects = Object.fromEntries(app.sent.slice(before).map(({ to, subject }) => [to, subject]))
  const italian = 'Il tuo biglietto: Summer party'
  expect(subjects).toEqual({
    'french@example.org': italian,
    'german@example.org': 'Dein Ticket: Summer party',
    'nothing@example.org': italian,
    'anything@example.org': italian,
    'portuguese@example.org': italian,
    'staff@example.org': italian,
    'hand@example.org': italian,
  })
})

test('a language that Turnout no longer speaks is as if nobody had named it', async () => {
  const { event, club, admin, token } = await makeFixture(app)
  const { db } = app.deps
  await db
    .updateTable('clubs')
    .set({ language: 'xx', languages: ['yy', 'fr'] })
    .where('id', '=', club.id)
    .execute()
  await db.updateTable('users').set({ language: 'xx' }).where('id', '=', admin.id).execute()
  expect(await languageAt(`/club/${club.id}/event/${event.id}`, 'en')).toBe('fr')
  expect(await app.call(authApi.getCurrentUser, {}, token)).toMatchObject({ language: 'xx' })
  const before = app.sent.length
  await app.call(authApi.forgotPassword, { email: admin.email })
  await app.finishMails()
  expect(app.sent[before]?.html).toContain('<html lang="fr"')
})

test('two visitors of one page at one moment each get their language', async () => {
  const { event } = await makeFixture(app)
  const page = `/club/${event.clubId}/event/${event.id}`
  const wanted = ['de', 'fr', 'it', 'es', 'en', 'de', 'fr']
  const got = await Promise.all(wanted.map((language) => languageAt(page, language)))
  expect(got).toEqual(wanted)
  const bodies = await Promise.all(
    wanted.map(async (language) => (await site.inject({ url: page, headers: { 'accept-language': language } })).body),
  )
  const headings = bodies.map((body) => /id="register-heading">([^<]+)</.exec(body)?.[1])
  expect(headings).toEqual(['Anmelden', 'S’inscrire', 'Iscriviti', 'Inscripción', 'Register', 'Anmelden', 'S’inscrire'])
})

test('what a device stores is in the language that its page names', async () => {
  const get = (url: string) => site.inject({ url, headers: { 'accept-language': 'fr' }, cookies: { language: 'it' } })
  expect((await get('/offline-files.json?build=de')).json()).toMatchObject({ language: 'de' })
  expect((await get('/offline-files.json?build=xx')).json()).toMatchObject({ language: 'it' })
  expect((await get('/door?build=es')).body).toContain('<html lang="es"')
  const manifest = (await get('/manifest.webmanifest?build=de')).json()
  expect(manifest).toMatchObject({ lang: 'de', dir: 'ltr', description: 'Events, Tickets und Einlass' })
  expect((await get('/manifest.webmanifest')).json()).toMatchObject({ lang: 'en' })
})

test('a reminder in the calendar is in the language of its page, if the club offers it', async () => {
  const { club, token } = await makeFixture(app)
  const registrationOpensAt = new Date('2026-11-21T10:00:00Z')
  const later = await makeEvent(app, token, { registrationOpensAt })
  const file = async (lang: string) =>
    (
      await app.raw(
        eventApi.getCalendarFile,
        { eventId: String(later.id), of: 'opening', lang },
        { 'accept-language': 'en' },
      )
    ).text()
  expect(await file('de')).toContain('SUMMARY:Anmeldung beginnt')
  await app.call(clubApi.save, { id: club.id, language: 'fr', languages: [] }, token)
  expect(await file('de')).toContain('SUMMARY:Ouverture des inscriptions')
})

test('a form sent without script is answered in the language of its page, and registers in it', async () => {
  const { event } = await makeFixture(app)
  const page = `/club/${event.clubId}/event/${event.id}`
  const headers = { 'accept-language': 'fr' }
  const again = await send(page, { name: '', email: 'nobody', phone: '' }, headers)
  expect(again.statusCode).toBe(422)
  for (const text of ['lang="fr"', 'Indiquez votre nom.', 'Indiquez une adresse e-mail comme'])
    expect(again.body).toContain(text)
  const lost = await send(page, { 'registered-email': 'nobody' }, headers)
  expect(lost.body).toContain('Indiquez une adresse e-mail comme')
  const before = app.sent.length
  const done = await send(page, { name: 'Zoé', email: 'zoe@example.org', phone: '+33123456789' }, headers)
  expect(done.statusCode).toBe(303)
  await app.finishMails()
  expect(app.sent[before]?.subject).toBe('Votre billet\u00a0: Summer party')
})

test('users choose their language: it comes back with their sign-in, and their mails are in it', async () => {
  const { admin, club, token } = await makeFixture(app)
  const payload = {
    id: admin.id,
    fullName: admin.fullName,
    email: admin.email,
    clubId: club.id,
    language: 'es' as const,
  }
  expect(await app.call(appUserApi.save, { payload }, token)).toMatchObject({ language: 'es' })
  expect(await app.call(authApi.getCurrentUser, {}, token)).toMatchObject({ language: 'es' })
  // Left out, it stays.
  const { language: _, ...rest } = payload
  expect(await app.call(appUserApi.save, { payload: rest }, token)).toMatchObject({ language: 'es' })
  const before = app.sent.length
  await app.call(authApi.forgotPassword, { email: admin.email })
  await app.finishMails()
  expect(app.sent[before]?.html).toContain('<html lang="es" dir="ltr">')
  const refused = await app.raw(
    appUserApi.save,
    { payload: { ...payload, language: 'tlh' } },
    { authorization: token, 'accept-language': 'es' },
  )
  expect(await refused.json()).toMatchObject({ errors: [{ path: 'payload.language', msg: 'Elige un idioma.' }] })
})

test('whoever signs a club up writes in the language of the page', async () => {
  const input = { fullName: 'Jean', email: 'jean@example.org', password: 'un mot de passe 1', clubName: 'Club de Jean' }
  const answer = await app.raw(authApi.register, input, { 'accept-language': 'fr' })
  const { payload } = await answer.json()
  expect(payload.currentUser.language).toBe('fr')
  expect(await app.call(clubApi.getClub, { clubId: payload.currentUser.clubId })).toMatchObject({
    language: 'fr',
    languages,
  })
})

test('link previews have a picture for each language', async () => {
  const { event } = await makeFixture(app)
  const { body } = await site.inject({ url: `/club/${event.clubId}/event/${event.id}?lang=it` })
  const path = /og:image" content="https:\/\/turnout\.test([^"]+)"/.exec(body)?.[1] ?? ''
  expect(path).toMatch(new RegExp(`^/preview/${event.id}-it\\.jpg`))
  const picture = await site.inject({ url: path.replace('&amp;', '&') })
  expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/jpeg'])
})

test('posters are in the language of whoever asks', async () => {
  const { event, token } = await makeFixture(app)
  const answer = await app.raw(
    eventApi.getPoster,
    { eventId: String(event.id), size: 'A4' },
    { authorization: token, 'accept-language': 'de' },
  )
  const document = await getDocument({ data: new Uint8Array(await answer.arrayBuffer()) }).promise
  const page = await (await document.getPage(1)).getTextContent()
  expect(page.items.map((item) => ('str' in item ? item.str : '')).join(' ')).toContain('Scannen und anmelden')
})

test('refusals of a call that names a field are in the caller’s language', async () => {
  const { event } = await makeFixture(app)
  const answer = await app.raw(registrationApi.initRegistration, registrationFor(event, { email: 'x' }), {
    'accept-language': 'it',
  })
  expect((await answer.json()).msg).toMatch(/^E-mail: |^Inserisci /)
})
