import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatFields } from '../../src/contract/errors.ts'
import { eventApi } from '../../src/contract/events.ts'
import { pageApi } from '../../src/contract/pages.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { makeFixture, makeRegistration } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const kept = async (eventId: number) =>
  (await app.deps.db.selectFrom('eventDescriptions').select('html').where('eventId', '=', eventId).execute()).map(
    ({ html }) => html,
  )

test('a description is rendered and stored when it is saved; lists and tickets contain no HTML', async () => {
  const { club, token, event } = await makeFixture(app, { description: '*Hello*' })
  expect(event.descriptionHtml).toBe('<p><em>Hello</em></p>')
  expect(await kept(event.id)).toEqual(['<p><em>Hello</em></p>'])

  const edited = await app.call(eventApi.save, { id: event.id, description: '**Bye**' }, token)
  expect(edited.descriptionHtml).toBe('<p><strong>Bye</strong></p>')
  expect(await kept(event.id)).toEqual(['<p><strong>Bye</strong></p>'])

  const lists = [
    await app.call(eventApi.getAllEvents, { clubId: club.id }, token),
    await app.call(eventApi.getAllActiveEvents, { clubId: club.id, currentDate: '2026-11-20' }),
  ]
  for (const list of lists) expect(list).toMatchObject([{ description: '**Bye**', descriptionHtml: '' }])
  const { id: registrationId, qrUuid } = await makeRegistration(app, event)
  const ticket = await app.call(ticketApi.getRegistration, { registrationId, qrUuid })
  expect(ticket.event).toMatchObject({ description: '**Bye**', descriptionHtml: '' })
})

test('a page view renders nothing: it returns the stored HTML', async () => {
  const { event } = await makeFixture(app, { description: '*Hello*' })
  await app.deps.db
    .updateTable('eventDescriptions')
    .set({ html: '<p>kept</p>' })
    .where('eventId', '=', event.id)
    .execute()
  expect((await app.call(eventApi.getEvent, { eventId: event.id })).descriptionHtml).toBe('<p>kept</p>')
  // Edited by a server of an older version, which stores no HTML, so the stored HTML belongs to another text.
  await app.deps.db.updateTable('events').set({ description: '*Edited*' }).where('id', '=', event.id).execute()
  expect((await app.call(eventApi.getEvent, { eventId: event.id })).descriptionHtml).toBe('<p><em>Edited</em></p>')
})

test('a description of an older version is rendered by its first reader, once', async () => {
  const { event } = await makeFixture(app)
  await app.deps.db.updateTable('events').set({ description: '*Old*' }).where('id', '=', event.id).execute()
  const views = await Promise.all([1, 2, 3].map(() => app.call(eventApi.getEvent, { eventId: event.id })))
  expect(views.map(({ descriptionHtml }) => descriptionHtml)).toEqual(Array(3).fill('<p><em>Old</em></p>'))
  expect(await kept(event.id)).toEqual(['<p><em>Old</em></p>'])
})

test('a text that is nested too deeply is refused by the name of its field, and nothing is saved', async () => {
  const { event, token, sudo } = await makeFixture(app, { description: 'Before' })
  const hostile = '>'.repeat(1_000)
  const refusal = await refusalOf(
    app.call(eventApi.save, { id: event.id, name: 'After', description: hostile }, token),
    'INVALID_INPUT',
  )
  expect(formatFields(refusal.fields)).toEqual([
    { path: 'description', msg: expect.stringContaining('too deeply nested') },
  ])
  expect(await app.call(eventApi.getEvent, { eventId: event.id })).toMatchObject({
    name: event.name,
    description: 'Before',
  })
  const page = await refusalOf(app.call(pageApi.save, { type: 'terms', body: hostile }, sudo.token), 'INVALID_INPUT')
  expect(page.fields).toMatchObject([{ path: 'body' }])
})

test('a text of an older version that cannot be rendered is shown as plain text, and not tried again', async () => {
  const { event } = await makeFixture(app)
  const hostile = `${'>'.repeat(1_000)}<script>`
  await app.deps.db.updateTable('events').set({ description: hostile }).where('id', '=', event.id).execute()
  const { descriptionHtml } = await app.call(eventApi.getEvent, { eventId: event.id })
  expect(descriptionHtml).toBe(`<p>${'&gt;'.repeat(1_000)}&lt;script&gt;</p>`)
  expect(await kept(event.id)).toEqual([descriptionHtml])
})

test('a description and a page are shown even if their HTML cannot be stored', async () => {
  const { event } = await makeFixture(app)
  await sql`
    create function fail_to_keep() returns trigger language plpgsql as
    'begin raise exception ''disk full'' using errcode = ''53100''; end'
  `.execute(app.deps.db)
  await sql`create trigger fail before insert or update on event_descriptions execute function fail_to_keep()`.execute(
    app.deps.db,
  )
  await sql`insert into pages (type, body, updated_at) values ('privacy-policy', '*Private*', now())`.execute(
    app.deps.db,
  )
  await sql`create trigger fail before update on pages execute function fail_to_keep()`.execute(app.deps.db)
  await app.deps.db.updateTable('events').set({ description: '*Kept?*' }).where('id', '=', event.id).execute()
  const shown = { descriptionHtml: '<p><em>Kept?</em></p>' }
  expect(await app.call(eventApi.getEvent, { eventId: event.id })).toMatchObject(shown)
  expect(await app.call(pageApi.getPage, { type: 'privacy-policy' })).toMatchObject({
    bodyHtml: '<p><em>Private</em></p>',
  })
  await sql`drop trigger fail on event_descriptions`.execute(app.deps.db)
  await sql`drop trigger fail on pages`.execute(app.deps.db)
})

test('a page of an older version is rendered by its first reader and stored', async () => {
  await sql`insert into pages (type, body, updated_at) values ('cookie-policy', '*Ours*', now())`.execute(app.deps.db)
  expect(await app.call(pageApi.getPage, { type: 'cookie-policy' })).toMatchObject({ bodyHtml: '<p><em>Ours</em></p>' })
  const row = await app.deps.db.selectFrom('pages').select('bodyHtml').where('type', '=', 'cookie-policy').execute()
  expect(row).toEqual([{ bodyHtml: '<p><em>Ours</em></p>' }])
})
