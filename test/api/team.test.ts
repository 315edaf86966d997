import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { doorApi } from '../../src/contract/door.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { redemptionApi } from '../../src/contract/redemptions.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { teamApi } from '../../src/contract/team.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import {
  makeClub,
  makeEvent,
  makeExtras,
  makeFixture,
  makeMember,
  makeRegistration,
  registrationFor,
} from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

const ida = { fullName: 'Ida', email: 'ida@example.org' }

test('a club keeps an owner: the last one is neither removed nor lowered, also when two lower each other at once', async () => {
  const { sudo, club, admin, token } = await makeFixture(app)
  const edit = ({ id, fullName, email }: typeof admin, teamRole: 'owner' | 'manager', by = token) =>
    app.call(appUserApi.save, { payload: { id, fullName, email, clubId: club.id, teamRole } }, by)
  const remove = (appUserId: number, by: string) =>
    app.call(appUserApi.removeAppUser, { appUserId, clubId: club.id }, by)
  await refusalOf(edit(admin, 'manager'), 'LAST_OWNER')
  await refusalOf(edit(admin, 'manager', sudo.token), 'LAST_OWNER')
  await refusalOf(remove(admin.id, sudo.token), 'LAST_OWNER')
  // Somebody who has not joined yet does not count.
  const payload = { clubId: club.id, ...ida, teamRole: 'owner' as const, eventIds: null }
  await app.call(teamApi.invite, { payload }, token)
  await refusalOf(edit(admin, 'manager'), 'LAST_OWNER')

  for (let round = 0; round < 10; round++) {
    const other = await makeMember(app, { clubId: club.id, token }, 'owner')
    const outcomes = await countOutcomes([edit(other.member, 'manager'), edit(admin, 'manager', other.token)])
    const owners = await app.deps.db
      .selectFrom('users')
      .select('id')
      .where('clubId', '=', club.id)
      .where('teamRole', '=', 'owner')
      .where('invitedUntil', 'is', null)
      .execute()
    expect(outcomes.ok).toBe(1)
    expect(owners).toHaveLength(1)
    if (owners[0]?.id !== other.member.id) continue
    await edit(admin, 'owner', other.token)
    await edit(other.member, 'manager')
  }
})

test('only whoever manages the team invites, changes roles and removes; everybody keeps their own profile', async () => {
  const { sudo, club, admin, token, event } = await makeFixture(app)
  const manager = await makeMember(app, { clubId: club.id, token }, 'manager')
  const invitation = { clubId: club.id, ...ida, teamRole: 'owner' as const, eventIds: null }
  await refusalOf(app.call(teamApi.invite, { payload: invitation }, manager.token), 'NOT_ALLOWED')
  await refusalOf(app.call(appUserApi.getAppUsers, { clubId: club.id }, manager.token), 'NOT_ALLOWED')
  const { id, email } = manager.member
  const own = { id, fullName: 'Mo', email, clubId: club.id }
  await refusalOf(app.call(appUserApi.save, { payload: { ...own, teamRole: 'owner' } }, manager.token), 'NOT_ALLOWED')
  const { fullName, email: adminEmail } = admin
  const others = { id: admin.id, fullName, email: adminEmail, clubId: club.id }
  await refusalOf(app.call(appUserApi.save, { payload: others }, manager.token), 'NOT_ALLOWED')
  await refusalOf(app.call(appUserApi.save, { payload: { ...ida, clubId: club.id } }, manager.token), 'NOT_ALLOWED')
  expect(await app.call(appUserApi.save, { payload: own }, manager.token)).toMatchObject({
    fullName: 'Mo',
    teamRole: 'manager',
  })

  const first = { eventId: event.id, searchKeyword: '', sortBy: 'name' as const, limit: 1 }
  // A role counts from the next call on, in sessions that are open already.
  await app.call(attendeeApi.getAttendees, first, manager.token)
  await app.call(appUserApi.save, { payload: { ...own, teamRole: 'door' } }, token)
  const list = app.call(attendeeApi.getAttendees, first, manager.token)
  await refusalOf(list, 'NOT_ALLOWED')

  const other = await makeClub(app, sudo.token)
  const foreign = await makeEvent(app, other.token)
  const atForeign = { clubId: club.id, ...ida, teamRole: 'door' as const, eventIds: [event.id, foreign.id] }
  const { fields } = await refusalOf(app.call(teamApi.invite, { payload: atForeign }, token), 'INVALID_INPUT')
  expect(fields.map(({ path }) => path)).toEqual(['payload.eventIds'])
  // Only somebody at the door is limited to some events: whoever says so for another role means something else.
  const limited = { ...ida, clubId: club.id, eventIds: [event.id] }
  for (const teamRole of ['manager', 'owner', 'treasurer'] as const) {
    const refused = await refusalOf(
      app.call(teamApi.invite, { payload: { ...limited, teamRole } }, token),
      'INVALID_INPUT',
    )
    expect(refused.fields.map(({ path }) => path)).toEqual(['payload.eventIds'])
  }
  await refusalOf(app.call(appUserApi.save, { payload: limited }, token), 'INVALID_INPUT')
  await refusalOf(
    app.call(appUserApi.save, { payload: { ...own, teamRole: 'manager', eventIds: [event.id] } }, token),
    'INVALID_INPUT',
  )
  // A helper of some events who becomes a manager works on all.
  const helper = await makeMember(app, { clubId: club.id, token }, 'door', [event.id])
  const promoted = { id: helper.member.id, fullName: 'Mo', email: helper.member.email, clubId: club.id }
  const manages = await app.call(appUserApi.save, { payload: { ...promoted, teamRole: 'manager' } }, token)
  expect(manages).toMatchObject({ teamRole: 'manager', eventIds: null })
  await refusalOf(app.call(teamApi.invite, { payload: atForeign }, other.token), 'NOT_FOUND')
})

test('somebody at the door of one event sees no other, and of that one only what the door needs', async () => {
  const { club, token, event } = await makeFixture(app)
  const draft = await makeEvent(app, token, { name: 'Draft', status: 'draft' })
  const drinks = await makeExtras(app, token, event.id, { price: 0 })
  const ticket = await makeRegistration(app, event, { extrasIds: [drinks.id] })
  const door = await makeMember(app, { clubId: club.id, token }, 'door', [event.id])
  const events = await app.call(eventApi.getAllEvents, { clubId: club.id }, door.token)
  expect(events.map(({ id }) => id)).toEqual([event.id])
  await refusalOf(app.call(eventApi.getEvent, { eventId: draft.id }, door.token), 'NOT_FOUND')
  await app.call(doorApi.getDoorList, { eventId: event.id }, door.token)
  await refusalOf(app.call(doorApi.getDoorList, { eventId: draft.id }, door.token), 'NOT_FOUND')
  const [voucher] = await app.call(extrasApi.getExtras, { eventId: event.id }, door.token)
  expect(voucher?.soldAmount ?? null).toBeNull()
  const read = await app.raw(
    { method: 'GET', path: '/api/registration/getRegistration' },
    { registrationId: ticket.id },
    { authorization: door.token },
  )
  expect(read.status).toBe(404)
  // The code that was scanned gives no secret and no address to whoever may not change registrations.
  const scan = { qrCodeData: ticketUrl('https://turnout.test', ticket), eventId: event.id }
  const { registration } = await app.call(checkinApi.scanByRegistrationId, { payload: scan }, door.token)
  expect(registration).toMatchObject({ id: ticket.id, qrUuid: '', registrationData: { email: '', phone: '' } })
  const listed = await app.call(
    redemptionApi.scanByExtrasPurchaseId,
    { payload: { ...scan, units: undefined } },
    door.token,
  )
  expect(listed.registration.qrUuid).toBe('')
  expect(listed.extrasPurchases.map(({ qrUuid }) => qrUuid)).toEqual([''])
  // Adding somebody is part of the door, correcting a registration is not.
  const registrationData = { name: 'Walk In', email: '', phone: '', others: [] }
  const added = await app.call(
    attendeeApi.save,
    { payload: { eventId: event.id, registrationData, extrasIds: [] } },
    door.token,
  )
  const correction = { id: added.id, eventId: event.id, registrationData, extrasIds: [] }
  await refusalOf(app.call(attendeeApi.save, { payload: correction }, door.token), 'NOT_ALLOWED')
})

test('staff who may not add people to an event register for it like visitors', async () => {
  const { club, token, event } = await makeFixture(app, { maxPerEmail: 1 })
  const elsewhere = await makeEvent(app, token)
  const door = (eventIds: number[]) => makeMember(app, { clubId: club.id, token }, 'door', eventIds)
  const register = async (by: string) => {
    const request = registrationFor(event, { email: 'one@example.org' })
    return (await app.raw(registrationApi.initRegistration, request, { authorization: by })).status
  }
  const treasurer = await makeMember(app, { clubId: club.id, token }, 'treasurer')
  expect(await register((await door([event.id])).token)).toBe(200)
  expect(await register((await door([event.id])).token)).toBe(200)
  expect(await register((await door([elsewhere.id])).token)).toBe(409)
  expect(await register(treasurer.token)).toBe(409)
})

test('a treasurer reads attendees and tickets without the secrets that open them', async () => {
  const { club, token, event } = await makeFixture(app)
  const drinks = await makeExtras(app, token, event.id, { price: 0 })
  const ticket = await makeRegistration(app, event, { extrasIds: [drinks.id] })
  const treasurer = await makeMember(app, { clubId: club.id, token }, 'treasurer')
  const read = async (by: string, qrUuid?: string) => {
    const found = await app.call(ticketApi.getRegistration, { registrationId: ticket.id, qrUuid }, by)
    return [found.registration.qrUuid, ...found.extras.map((each) => each.qrUuid)]
  }
  const list = async (by: string) => {
    const asked = { eventId: event.id, searchKeyword: '', sortBy: 'name' as const, limit: 10 }
    const { attendees } = await app.call(attendeeApi.getAttendees, asked, by)
    return attendees.flatMap(({ registration, extras }) => [registration.qrUuid, ...extras.map((each) => each.qrUuid)])
  }
  const secrets = await read(token)
  expect(secrets).toHaveLength(2)
  expect(secrets).not.toContain('')
  expect(await list(token)).toEqual(secrets)
  expect(await read(treasurer.token)).toEqual(['', ''])
  expect(await list(treasurer.token)).toEqual(['', ''])
  // Whoever holds the ticket's secret has the vouchers with it, also as a visitor of another club's event.
  expect(await read(treasurer.token, ticket.qrUuid)).toEqual(secrets)
})

test('owners who remove each other at once leave one, and whoever was lowered meanwhile changes nobody', async () => {
  const { club, admin, token } = await makeFixture(app)
  let [first, second] = [{ member: admin, token }, await makeMember(app, { clubId: club.id, token }, 'owner')]
  for (let round = 0; round < 5; round++) {
    const remove = (id: number, by: string) =>
      app.call(appUserApi.removeAppUser, { appUserId: id, clubId: club.id }, by)
    const outcomes = await countOutcomes([remove(first.member.id, second.token), remove(second.member.id, first.token)])
    expect(outcomes.ok).toBe(1)
    const { rows } = {
      rows: await app.deps.db.selectFrom('users').select('id').where('clubId', '=', club.id).execute(),
    }
    expect(rows).toHaveLength(1)
    first = rows[0]?.id === first.member.id ? first : second
    second = await makeMember(app, { clubId: club.id, token: first.token }, 'owner')
  }
  // The role is read again when the change is made: one of two that start at the same moment comes too late.
  const third = await makeMember(app, { clubId: club.id, token: first.token }, 'owner')
  const lower = ({ id, fullName, email }: typeof admin, by: string) =>
    app.call(appUserApi.save, { payload: { id, fullName, email, clubId: club.id, teamRole: 'manager' } }, by)
  const outcomes = await countOutcomes([lower(second.member, third.token), lower(third.member, second.token)])
  expect(outcomes).toEqual({ ok: 1, NOT_ALLOWED: 1 })
})
