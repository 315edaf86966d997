import { afterEach, beforeEach, expect, test } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import { teamApi } from '../../src/contract/team.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { sweepSignIns } from '../../src/server/auth/sweep.ts'
import { makeClub, makeFixture, makeMember, PASSWORD, tokenFor } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
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
  expect(user.permissions).toEqual(['member', 'door', 'tickets', 'redeem', 'search', 'walk-ins', 'paper'])
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
  const ownerId = (await app.call(appUserApi.getAppUsers, { clubId: club.id }, token)).admins[0]?.id ?? 0
  let owner = await tokenFor(app, ownerId)
  await app.call(teamApi.inviteAgain, { payload: { clubId: club.id, id } }, owner)
  await app.finishMails()
  const second = linkOf()
  expect(second).not.toBe(first)
  expect(await app.call(teamApi.readInvitation, { token: second })).toMatchObject({ email: ida.email })
  // An expired one does not keep the address from others.
  later(8)
  const other = await app.raw(authApi.register, { ...ida, password: 'battery staple 2', clubName: 'Other' })
  expect(other.status).toBe(200)

  owner = await tokenFor(app, ownerId)
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

test('changed addresses of somebody invited are limited like invitations, and refusals do not use up an address', async () => {
  const { sudo, club, token } = await makeFixture(app)
  const { id } = await app.call(
    teamApi.invite,
    { payload: { clubId: club.id, ...ida, teamRole: 'door', eventIds: null } },
    token,
  )
  const move = async (n: number) => {
    const payload = { id, fullName: 'Ida', email: `moved${n}@example.org`, clubId: club.id }
    return (await app.raw(appUserApi.save, { payload }, { authorization: token })).status
  }
  const statuses: number[] = []
  for (let n = 0; n < 45; n++) statuses.push(await move(n))
  expect(statuses.filter((status) => status === 200)).toHaveLength(39)
  expect(statuses.filter((status) => status === 429)).toHaveLength(6)

  const other = await makeClub(app, sudo.token)
  const payload = { clubId: other.club.id, ...ida, teamRole: 'door' as const, eventIds: null }
  const taken = { ...payload, email: other.admin.email }
  for (let n = 0; n < 6; n++) await refusalOf(app.call(teamApi.invite, { payload: taken }, other.token), 'EMAIL_TAKEN')
  // Nor does what a club over its own limit asks for.
  for (let n = 0; n < 40; n++) await app.raw(teamApi.invite, { payload: taken }, { authorization: other.token })
  const refusedHere = await app.raw(
    teamApi.invite,
    { payload: { ...payload, email: 'victim@example.org' } },
    { authorization: other.token },
  )
  expect(refusedHere.status).toBe(429)
  const third = await makeClub(app, sudo.token)
  const invitation = { ...payload, clubId: third.club.id, email: 'victim@example.org' }
  const victim = await app.call(teamApi.invite, { payload: invitation }, third.token)
  // A name that is a web address is refused in an invitation, also afterwards.
  const renamed = {
    id: victim.id,
    fullName: 'Win at casino.example',
    email: 'victim@example.org',
    clubId: third.club.id,
  }
  await refusalOf(app.call(appUserApi.save, { payload: renamed }, third.token), 'INVALID_INPUT')
  const link = { ...payload, clubId: third.club.id, fullName: 'Win at casino.example' }
  const refused = await refusalOf(app.call(teamApi.invite, { payload: link }, third.token), 'INVALID_INPUT')
  expect(refused.fields.map(({ path }) => path)).toEqual(['payload.fullName'])
})

test('an invitation is declined by whoever has the link, and its address is free again', async () => {
  const { club, token } = await makeFixture(app)
  const payload = { clubId: club.id, ...ida, teamRole: 'manager' as const, eventIds: null }
  await app.call(teamApi.invite, { payload }, token)
  await app.finishMails()
  const link = linkOf()
  await refusalOf(app.call(teamApi.declineInvitation, { token: 'x' }), 'LINK_EXPIRED')
  await app.call(teamApi.declineInvitation, { token: link })
  await refusalOf(app.call(teamApi.declineInvitation, { token: link }), 'LINK_EXPIRED')
  await refusalOf(app.call(teamApi.readInvitation, { token: link }), 'LINK_EXPIRED')
  const { admins } = await app.call(appUserApi.getAppUsers, { clubId: club.id }, token)
  expect(admins.map(({ email }) => email)).not.toContain(ida.email)
  const signUp = await app.raw(authApi.register, { ...ida, password: 'battery staple 2', clubName: 'Own' })
  expect(signUp.status).toBe(200)
})

test('an invitation that is withdrawn, sent again and accepted at once ends in one of these', async () => {
  const { club, token } = await makeFixture(app)
  for (let round = 0; round < 10; round++) {
    const email = `ida${round}@example.org`
    const payload = { clubId: club.id, fullName: 'Ida', email, teamRole: 'door' as const, eventIds: null }
    const invited = await app.call(teamApi.invite, { payload }, token)
    await app.finishMails()
    const version = invited.version
    const [accepted, withdrawn, again] = await Promise.all([
      app.raw(teamApi.acceptInvitation, { token: linkOf(), fullName: 'Ida', password: 'battery staple 2' }),
      app.raw(appUserApi.removeAppUser, { appUserId: invited.id, clubId: club.id, version }, { authorization: token }),
      app.raw(teamApi.inviteAgain, { payload: { clubId: club.id, id: invited.id } }, { authorization: token }),
    ])
    for (const { status } of [accepted, withdrawn, again]) expect([200, 404, 409]).toContain(status)
    const { admins } = await app.call(appUserApi.getAppUsers, { clubId: club.id }, token)
    const member = admins.find(({ id }) => id === invited.id)
    // Whoever joined stays, and whoever was withdrawn is gone.
    expect(withdrawn.ok).toBe(member === undefined)
    expect(accepted.ok && withdrawn.ok).toBe(false)
    if (accepted.ok) expect(member?.invitedUntil).toBeNull()
  }
  const payload = { clubId: club.id, ...ida, teamRole: 'door' as const, eventIds: null }
  const { id, version } = await app.call(teamApi.invite, { payload }, token)
  await app.finishMails()
  await app.call(teamApi.acceptInvitation, { token: linkOf(), fullName: 'Ida', password: 'battery staple 2' })
  await refusalOf(
    app.call(appUserApi.removeAppUser, { appUserId: id, clubId: club.id, version }, token),
    'EDIT_CONFLICT',
  )
}, 60_000)

test('owners do not find out without limit who has an account', async () => {
  const { sudo, club, token } = await makeFixture(app)
  const other = await makeClub(app, sudo.token)
  const member = await makeMember(app, { clubId: club.id, token }, 'door')
  const asked = { fullName: 'Mo', email: other.admin.email, clubId: club.id }
  const codes: (string | undefined)[] = []
  for (let n = 0; n < 50; n++) {
    const payload = n % 2 === 0 ? asked : { ...asked, id: member.member.id }
    codes.push((await (await app.raw(appUserApi.save, { payload }, { authorization: token })).json()).code)
  }
  expect(codes.filter((code) => code === 'EMAIL_TAKEN')).toHaveLength(39)
  expect(codes.at(-1)).toBe('TOO_MANY_TRIES')
}, 60_000)

test('the team sees that an invitation could not be delivered, until it is sent again', async () => {
  const { club, token } = await makeFixture(app)
  const payload = { clubId: club.id, ...ida, teamRole: 'door' as const, eventIds: null }
  const { id } = await app.call(teamApi.invite, { payload }, token)
  const isUndelivered = async () => {
    const { admins } = await app.call(appUserApi.getAppUsers, { clubId: club.id }, token)
    return admins.filter((admin) => admin.isUndelivered).map((admin) => admin.id)
  }
  expect(await isUndelivered()).toEqual([])
  await app.deps.db.updateTable('mails').set({ status: 'failed' }).where('userId', '=', id).execute()
  expect(await isUndelivered()).toEqual([id])
  await app.call(teamApi.inviteAgain, { payload: { clubId: club.id, id } }, token)
  expect(await isUndelivered()).toEqual([])
})
