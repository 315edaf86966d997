import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { authApi } from '../../src/contract/auth.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { doorApi } from '../../src/contract/door.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { redemptionApi } from '../../src/contract/redemptions.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { teamApi } from '../../src/contract/team.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { sweepSignIns } from '../../src/server/auth/sweep.ts'
import {
  makeClub,
  makeEvent,
  makeExtras,
  makeFixture,
  makeMember,
  makeRegistration,
  PASSWORD,
  registrationFor,
  tokenFor,
} from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

const DAY = 24 * 60 * 60_000
let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

const linkOf = (at = -1) => /\/invitation#([\w-]{43})/.exec(app.sent.at(at)?.text ?? '')?.[1] ?? ''
const later = (days: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + days * DAY)
}
const ida = { fullName: 'Ida', email: 'ida@example.org' }

test('somebody is invited by mail, joins with a password of their own, and may do what the role says', async () => {
  const { club, token, event } = await makeFixture(app)
  const payload = { clubId: club.id, ...ida, teamRole: 'door' as const, eventIds: [event.id] }
  const invited = await app.call(teamApi.invite, { payload }, token)
  expect(invited).toMatchObject({
    teamRole: 'door',
    eventIds: [event.id],
    invitedUntil: new Date(app.clock.now.getTime() + 7 * DAY),
  })
  // There is no password yet.
  await refusalOf(app.call(authApi.signin, { email: ida.email, password: PASSWORD }), 'WRONG_CREDENTIALS')
  await app.finishMails()
  expect(app.sent.at(-1)).toMatchObject({ to: ida.email, subject: `Invitation to the team of ${club.name}` })
  const link = linkOf()
  expect(JSON.stringify(await app.deps.db.selectFrom('passwordResets').selectAll().execute())).not.toContain(link)
  // Nor one to forget: the invitation comes again, and the first one stays valid.
  await app.call(authApi.forgotPassword, { email: ida.email })
  await app.finishMails()
  const subjects = app.sent.filter(({ to }) => to === ida.email).map(({ subject }) => subject)
  expect(subjects).toEqual(Array(2).fill(`Invitation to the team of ${club.name}`))
  expect(await app.call(teamApi.readInvitation, { token: link })).toEqual({
    clubName: club.name,
    ...ida,
    teamRole: 'door',
  })

  const join = () =>
    app.raw(teamApi.acceptInvitation, { token: link, fullName: 'Ida Door', password: 'battery staple 2' })
  const answers = await Promise.all([join(), join()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const own = answers.find(({ ok }) => ok)?.headers.get('authorization') ?? ''
  const user = await app.call(authApi.getCurrentUser, {}, own)
  expect(user).toMatchObject({
    fullName: 'Ida Door',
    clubId: club.id,
    role: 'admin',
    teamRole: 'door',
    eventIds: [event.id],
  })
  expect(user.permissions).toEqual(['member', 'door', 'walk-ins'])
  await app.call(authApi.signin, { email: ida.email, password: 'battery staple 2' })
  const { admins } = await app.call(appUserApi.getAppUsers, { clubId: club.id }, token)
  expect(admins.find(({ id }) => id === invited.id)).toMatchObject({ fullName: 'Ida Door', invitedUntil: null })
})

test('an invitation ends after seven days, and can be sent again, withdrawn and forgotten', async () => {
  const { club, token } = await makeFixture(app)
  const payload = { clubId: club.id, ...ida, teamRole: 'manager' as const, eventIds: null }
  const { id } = await app.call(teamApi.invite, { payload }, token)
  await app.finishMails()
  const first = linkOf()
  later(8)
  const accept = (link: string) =>
    app.call(teamApi.acceptInvitation, { token: link, fullName: 'Ida', password: 'battery staple 2' })
  await refusalOf(app.call(teamApi.readInvitation, { token: first }), 'LINK_EXPIRED')
  await refusalOf(accept(first), 'LINK_EXPIRED')
  const owner = await tokenFor(
    app,
    (await app.call(appUserApi.getAppUsers, { clubId: club.id }, token)).admins[0]?.id ?? 0,
  )
  await app.call(teamApi.inviteAgain, { payload: { clubId: club.id, id } }, owner)
  await app.finishMails()
  const second = linkOf()
  expect(second).not.toBe(first)
  expect(await app.call(teamApi.readInvitation, { token: second })).toMatchObject({ email: ida.email })
  // An expired one does not keep the address from others.
  later(8)
  const other = await app.raw(authApi.register, { ...ida, password: 'battery staple 2', clubName: 'Other' })
  expect(other.status).toBe(200)

  const again = await app.call(teamApi.invite, { payload: { ...payload, email: 'ivo@example.org' } }, owner)
  await app.call(appUserApi.removeAppUser, { appUserId: again.id, clubId: club.id }, owner)
  const before = app.sent.length
  await app.finishMails()
  expect(app.sent).toHaveLength(before)
  await app.call(teamApi.invite, { payload: { ...payload, email: 'eva@example.org' } }, owner)
  later(15)
  await sweepSignIns(app.deps)
  expect(await app.deps.db.selectFrom('users').select('id').where('email', '=', 'eva@example.org').execute()).toEqual(
    [],
  )
})

test('a link for a new password is no invitation, and one for an invitation sets a password once', async () => {
  const { club, admin, token } = await makeFixture(app)
  await app.call(authApi.forgotPassword, { email: admin.email })
  await app.finishMails()
  const reset = /\/reset-password#([\w-]{43})/.exec(app.sent.at(-1)?.text ?? '')?.[1] ?? ''
  const accept = { fullName: 'Mallory', password: 'battery staple 2' }
  await refusalOf(app.call(teamApi.readInvitation, { token: reset }), 'LINK_EXPIRED')
  await refusalOf(app.call(teamApi.acceptInvitation, { token: reset, ...accept }), 'LINK_EXPIRED')
  // It still works for what it is for.
  await app.call(authApi.resetPassword, { token: reset, password: 'battery staple 3' })

  const payload = { clubId: club.id, ...ida, teamRole: 'treasurer' as const, eventIds: null }
  await app.call(teamApi.invite, { payload }, await tokenFor(app, admin.id))
  await app.finishMails()
  await app.call(authApi.resetPassword, { token: linkOf(), password: 'battery staple 4' })
  await refusalOf(app.call(teamApi.readInvitation, { token: linkOf() }), 'LINK_EXPIRED')
  await refusalOf(app.call(authApi.getCurrentUser, {}, token), 'SIGN_IN_NEEDED')
  // Whoever chose a password has joined, and is not forgotten with expired invitations.
  later(20)
  await sweepSignIns(app.deps)
  await app.call(authApi.signin, { email: ida.email, password: 'battery staple 4' })
})

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
  // Only somebody at the door is limited to some events.
  const whole = await app.call(teamApi.invite, { payload: { ...atForeign, teamRole: 'manager' } }, token)
  expect(whole.eventIds).toBeNull()
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

test('an invitation follows a changed address', async () => {
  const { sudo, club, token } = await makeFixture(app)
  const payload = { clubId: club.id, ...ida, teamRole: 'manager' as const, eventIds: null }
  const { id } = await app.call(teamApi.invite, { payload }, token)
  const moved = { id, fullName: 'Ida', email: 'ida.moved@example.org', clubId: club.id }
  await app.call(appUserApi.save, { payload: moved }, sudo.token)
  await app.finishMails()
  expect(app.sent.map(({ to }) => to)).toEqual(['ida.moved@example.org'])
  expect(await app.call(teamApi.readInvitation, { token: linkOf() })).toMatchObject({ email: 'ida.moved@example.org' })
})

test('invitations are written in the club’s language and are limited', async () => {
  const { club, token } = await makeFixture(app)
  await app.deps.db.updateTable('clubs').set({ language: 'de' }).where('id', '=', club.id).execute()
  const ask = (n: number) =>
    app.raw(
      teamApi.invite,
      { payload: { clubId: club.id, fullName: 'Ida', email: `ida${n}@example.org`, teamRole: 'door' } },
      { authorization: token },
    )
  const statuses = await Promise.all(Array.from({ length: 45 }, async (_, n) => (await ask(n)).status))
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  await app.finishMails()
  expect(app.sent[0]?.subject).toBe(`Einladung ins Team von ${club.name}`)
})
