import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { historyApi } from '../../src/contract/history.ts'
import { paperApi } from '../../src/contract/paper.ts'
import { shortCode } from '../../src/contract/values/ticket-codes.ts'
import { makeClub, makeEvent, makeFixture, makePass, makeRegistration, scanOf } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

const entry = (eventId: number, registrationIds: number[], scanId = randomUUID()) => ({
  payload: { eventId, scanId, registrationIds },
})

test('numbers and codes say who it is and what is in the way', async () => {
  const { sudo, event, token } = await makeFixture(app)
  const [plain, coded, inside, gone, unpaid] = [
    await makeRegistration(app, event, { name: 'Paula Plain' }),
    await makeRegistration(app, event, { name: 'Cora Coded' }),
    await makeRegistration(app, event, { name: 'Ina Inside' }),
    await makeRegistration(app, event),
    await makeRegistration(app, event),
  ]
  await app.call(checkinApi.scanByRegistrationId, scanOf(inside), token)
  const cancel = { id: gone.id, eventId: event.id, status: 'cancelled' as const }
  await app.call(attendeeApi.updateStatus, { payload: cancel }, token)
  await sql`update registrations set status = 'pending', hold_expires_at = now() + interval '1 day' where id = ${unpaid.id}`.execute(
    app.deps.db,
  )
  const other = await makeRegistration(app, await makeEvent(app, token, { name: 'Concert' }))
  const stranger = await makeRegistration(app, await makeEvent(app, (await makeClub(app, sudo.token)).token))
  const wrongCode = shortCode({ id: coded.id, qrUuid: other.qrUuid })
  const codes = [
    ...[`#00${plain.id}`, shortCode(coded), String(inside.id), String(gone.id), String(unpaid.id)],
    ...[String(other.id), String(stranger.id), wrongCode, 'Ada', '0', '99999999999'],
  ]
  const ask = (by: string) => app.call(paperApi.readPaper, { payload: { eventId: event.id, codes } }, by)
  const rows = await ask(token)
  expect(rows.map(({ code, state, name, eventName }) => [code, state, name ?? eventName])).toEqual([
    [codes[0], 'ready', 'Paula Plain'],
    [codes[1], 'ready', 'Cora Coded'],
    [codes[2], 'in', 'Ina Inside'],
    [codes[3], 'cancelled', gone.registrationData.name],
    [codes[4], 'unpaid', unpaid.registrationData.name],
    [codes[5], 'other event', 'Concert'],
    [codes[6], 'unknown', null],
    [codes[7], 'unknown', null],
    [codes[8], 'unreadable', null],
    [codes[9], 'unreadable', null],
    [codes[10], 'unreadable', null],
  ])
  expect(rows[2]?.inAt).toEqual(app.clock.now)
  // Numbers can be guessed, so a helper of one event learns nothing of the others.
  const { session } = await makePass(app, event, token)
  expect((await ask(session))[5]).toMatchObject({ state: 'unknown', eventName: null })
})

test('those who are ticked are checked in once, in one step, and the history says that it is from paper', async () => {
  const { club, event, token } = await makeFixture(app)
  const [first, second, inside] = [
    await makeRegistration(app, event, { name: 'Fay First' }),
    await makeRegistration(app, event),
    await makeRegistration(app, event),
  ]
  const other = await makeRegistration(app, await makeEvent(app, token))
  await app.call(checkinApi.scanByRegistrationId, scanOf(inside), token)
  const wanted = entry(event.id, [first.id, second.id, second.id, inside.id, other.id])
  const enter = (input = wanted) => app.call(paperApi.checkInFromPaper, input, token)
  const answers = await Promise.all([enter(), enter(), enter()])
  for (const answer of answers) expect(answer).toEqual({ checkedIn: 2, unchanged: 2 })
  expect(await enter(entry(event.id, [first.id]))).toEqual({ checkedIn: 0, unchanged: 1 })
  await refusalOf(enter(entry(event.id, [first.id], wanted.payload.scanId)), 'INVALID_INPUT')

  const changes = await app.deps.db.selectFrom('changes').selectAll().where('subject', '=', 'checkin').execute()
  expect(changes.map(({ action }) => action).sort()).toEqual([
    'checked in',
    'checked in from paper',
    'checked in from paper',
  ])
  const { entries } = await app.call(historyApi.getHistory, { clubId: club.id }, token)
  expect(entries.find(({ about }) => about === 'Fay First')).toMatchObject({ action: 'Checked in, entered from paper' })
  const timeline = { registrationId: first.id, eventId: event.id }
  expect(JSON.stringify(await app.call(attendeeApi.getTimeline, timeline, token))).toContain('entered from paper')
  expect(await app.deps.db.selectFrom('checkins').selectAll().where('status', '=', true).execute()).toHaveLength(3)
})

test('nobody is checked in at an event that is cancelled', async () => {
  const { event, token } = await makeFixture(app)
  const { id } = await makeRegistration(app, event)
  await app.deps.db.updateTable('events').set({ status: 'cancelled' }).where('id', '=', event.id).execute()
  await refusalOf(app.call(paperApi.checkInFromPaper, entry(event.id, [id]), token), 'EVENT_CANCELLED')
})
