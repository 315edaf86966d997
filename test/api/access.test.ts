import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/all-calls.ts'
import type { Access, Endpoint } from '../../src/contract/endpoint.ts'
import { passApi } from '../../src/contract/passes.ts'
import {
  type Permission,
  passAbilities,
  permissionsOf,
  permissionsOfPass,
  type TeamRole,
  teamRoles,
} from '../../src/contract/permissions.ts'
import type { Registration } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import {
  makeClub,
  makeEvent,
  makeExtras,
  makeFixture,
  makeMember,
  makePass,
  makeRegistration,
} from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
let other: Awaited<ReturnType<typeof makeClub>>
let ticket: Registration
let voucher: { id: number; qrUuid: string }
/** The sessions of people with each role, here and in the other club, and of somebody at the door of another event only. */
let members: Record<TeamRole | 'elsewhere', string>
let others: Record<TeamRole, string>
/** The sessions of helper passes with all abilities: of the event, one that was revoked, and of other events. */
let passes: Record<'valid' | 'revoked' | 'elsewhere' | 'ofOtherClub', string>

beforeAll(async () => {
  app = await startApp()
  fixture = await makeFixture(app)
  other = await makeClub(app, fixture.sudo.token)
  await makeTicket()
  const { club, token } = fixture
  const elsewhere = await makeEvent(app, token)
  const own = { clubId: club.id, token }
  members = { ...(await makeTeam(own)), elsewhere: (await makeMember(app, own, 'door', [elsewhere.id])).token }
  others = await makeTeam({ clubId: other.club.id, token: other.token })
  const foreign = await makeEvent(app, other.token)
  passes = {
    valid: (await makePass(app, fixture.event, token)).session,
    revoked: await revokedPass(),
    elsewhere: (await makePass(app, elsewhere, token)).session,
    ofOtherClub: (await makePass(app, foreign, other.token)).session,
  }
})

async function revokedPass(): Promise<string> {
  const { pass, session } = await makePass(app, fixture.event, fixture.token)
  await app.call(passApi.revokePass, { payload: { eventId: fixture.event.id, id: pass.id } }, fixture.token)
  return session
}

async function makeTeam(club: { clubId: number; token: string }): Promise<Record<TeamRole, string>> {
  const tokenOf = async (role: TeamRole) => (await makeMember(app, club, role)).token
  return {
    owner: await tokenOf('owner'),
    manager: await tokenOf('manager'),
    treasurer: await tokenOf('treasurer'),
    door: await tokenOf('door'),
  }
}

async function makeTicket(): Promise<void> {
  const drinks = await makeExtras(app, fixture.token, fixture.event.id, { price: 0 })
  ticket = await makeRegistration(app, fixture.event, { extrasIds: [drinks.id] })
  const { id: registrationId, qrUuid } = ticket
  const [bought] = (await app.call(ticketApi.getRegistration, { registrationId, qrUuid })).extras
  if (!bought) throw new Error('The ticket has no voucher.')
  voucher = bought
}
afterAll(() => app.stop())

/** The least input that names the object the access rule is about; the rest is missing, so a right caller gets 422 or 200. */
function inputFor(access: Access, write: Write): Record<string, unknown> {
  if ('club' in access) return nested(access.club, write(fixture.club.id))
  if ('event' in access) return nested(access.event, write(fixture.event.id))
  if ('voucher' in access) return nested(access.voucher, write(voucher.id))
  // A ticket alone is an order of one.
  if ('order' in access) return nested(access.order, write(ticket.id))
  return 'ticket' in access ? nested(access.ticket, write(ticket.id)) : {}
}

/** Further input that a ticket or voucher holder's call needs, so that only the secret is wrong. */
const rest: Readonly<Record<string, object>> = {
  '/api/registration/correct': { registrationData: { name: 'Ada', phone: '030 1234567', others: [] } },
  '/api/registration/handOn': { registrationData: { name: 'Bo', email: 'bo@example.org', phone: '', others: [] } },
  '/api/order/giveBackTickets': { registrationIds: [1] },
}

/** A holder's input with this secret in addition to the id. */
function holderInput({ access, path }: Endpoint, secret: string, id?: number): Record<string, unknown> {
  const input = inputFor(access, (known) => id ?? known)
  const body = input.payload ?? input
  Object.assign(body, rest[path], { ['order' in access ? 'secret' : 'qrUuid']: secret })
  return input
}

function nested(path: string, value: unknown): Record<string, unknown> {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown> // At least one key wraps it.
}

type Write = (id: number) => unknown
async function status(endpoint: Endpoint, authorization: string | null, write: Write = (id) => id): Promise<number> {
  const headers = authorization === null ? {} : { authorization }
  const response = await app.raw(endpoint, inputFor(endpoint.access, write), headers)
  expect(response.status).toBeLessThan(500)
  return response.status
}

async function headStatus({ path, access }: (typeof endpoints)[number], authorization: string): Promise<number> {
  const query = new URLSearchParams(Object.entries(inputFor(access, String)).map(([key, id]) => [key, String(id)]))
  return (await fetch(`${app.url}${path}?${query}`, { method: 'HEAD', headers: { authorization } })).status
}

/** HEAD never changes anything. */
const hasHead = ({ changes, asksOutside }: Endpoint) => !changes && !asksOutside

const served = [200, 404, 422]

/** The call itself may have removed the event. */
async function renew(): Promise<void> {
  fixture.event = await makeEvent(app, fixture.token)
  passes.valid = (await makePass(app, fixture.event, fixture.token)).session
  passes.revoked = await revokedPass()
  await makeTicket()
}

/** Whether the role may read tickets without their secret, where the call allows it to anybody. */
function mayReadTickets(role: TeamRole, access: Access): boolean {
  return !('staff' in access) || access.staff === undefined || permissionsOf(role).includes(access.staff)
}

function hasWhatItNeeds(role: TeamRole, access: Access): boolean {
  const needs: Permission | null = 'needs' in access ? access.needs : null
  return needs === null || permissionsOf(role).includes(needs)
}

describe.each(endpoints.map((endpoint) => ({ path: endpoint.path, endpoint })))('$path', ({ endpoint }) => {
  const { access } = endpoint
  const isPublic = access.who === 'visitor' || access.who === 'holder'

  test('nobody, and a forged token', async () => {
    for (const authorization of [null, 'Bearer nonsense', `Bearer ${'A'.repeat(43)}`]) {
      const got = await status(endpoint, authorization)
      if (isPublic) expect(access.who === 'holder' ? [404, 422] : served).toContain(got)
      else expect(got).toBe(401)
    }
  })

  test('an expired token', async () => {
    const now = app.clock.now
    app.clock.now = new Date(now.getTime() + 31 * 24 * 60 * 60_000)
    const got = await status(endpoint, `Bearer ${fixture.token}`)
    app.clock.now = now
    if (isPublic) expect(served).toContain(got)
    else expect(got).toBe(401)
  })

  test('an admin of the club', async () => {
    if (endpoint.path === '/api/user/signout') return
    const got = await status(endpoint, fixture.token)
    if (endpoint.changes) await renew()
    if (access.who === 'sudo') expect(got).toBe(403)
    else expect([200, 422]).toContain(got)
  })

  test('an admin and the operator who signed in some time ago', async () => {
    if (endpoint.path === '/api/user/signout') return
    const now = app.clock.now
    app.clock.now = new Date(now.getTime() + 15 * 60_000)
    const answers = await Promise.all(
      [fixture.token, fixture.sudo.token].map(async (authorization) => {
        const response = await app.raw(endpoint, '{"broken', { authorization })
        return (await response.json()).code === 'CONFIRM_IDENTITY'
      }),
    )
    app.clock.now = now
    // Before the body is read.
    const isFresh = 'fresh' in access && access.fresh === true
    const may = [access.who !== 'sudo', access.who !== 'admin']
    expect(answers).toEqual(may.map((allowed) => isFresh && allowed))
  })

  test('an admin of another club', async () => {
    if (endpoint.path === '/api/user/signout') return
    const got = await status(endpoint, `Bearer ${other.token}`)
    if (access.who === 'sudo') expect(got).toBe(403)
    else if ('club' in access || 'event' in access) expect(got).toBe(404)
    else if (access.who === 'holder') expect([404, 422]).toContain(got)
    else expect(served).toContain(got)
    // An id as text counts as the same id, and HEAD has the same access rule.
    if ('club' in access || 'event' in access) expect(await status(endpoint, other.token, String)).toBe(got)
    if (endpoint.method === 'GET') expect(await headStatus(endpoint, other.token)).toBe(hasHead(endpoint) ? got : 404)
  })

  test.each(teamRoles)('the %s of the club', async (role) => {
    if (endpoint.path === '/api/user/signout') return
    const got = await status(endpoint, members[role])
    if (endpoint.changes && got === 200) await renew()
    if (access.who === 'sudo' || !hasWhatItNeeds(role, access)) expect(got).toBe(403)
    // Like a stranger without the secret.
    else if (!mayReadTickets(role, access)) expect(got).toBe(404)
    else expect([200, 422]).toContain(got)
  })

  test('a door helper of another event', async () => {
    if (!('event' in access)) return
    expect(await status(endpoint, members.elsewhere)).toBe(hasWhatItNeeds('door', access) ? 404 : 403)
  })

  test.each(teamRoles)('the %s of another club', async (role) => {
    if (!('needs' in access)) return
    const got = await status(endpoint, others[role])
    expect(got).toBe(hasWhatItNeeds(role, access) ? 404 : 403)
  })

  test.each(['valid', 'revoked', 'elsewhere', 'ofOtherClub'] as const)('a helper pass: %s', async (state) => {
    if (endpoint.path === '/api/user/signout') return
    const got = await status(endpoint, passes[state])
    const may = state === 'revoked' ? [] : permissionsOfPass(passAbilities)
    const isStill = state === 'revoked' && 'evenEnded' in access && access.evenEnded === true
    const isAllowed = isStill || ('needs' in access && may.includes(access.needs))
    if (access.who === 'visitor') expect(served).toContain(got)
    // Like a stranger without the secret.
    else if (access.who === 'holder') expect([404, 422]).toContain(got)
    else if (access.who === 'self') expect(got === 403).toBe(access.pass !== true)
    else if (!isAllowed) expect(got).toBe(403)
    else if (state === 'elsewhere' || state === 'ofOtherClub') expect(got).toBe(404)
    else expect([200, 422]).toContain(got)
  })

  test('the operator', async () => {
    if (endpoint.path === '/api/user/signout') return
    const got = await status(endpoint, fixture.sudo.token)
    if (access.who === 'admin') expect(got).toBe(403)
    else expect(served).toContain(got)
  })

  if (access.who !== 'holder') return
  test('a wrong secret, whoever sends it', async () => {
    for (const authorization of [null, fixture.token, other.token, fixture.sudo.token]) {
      const ask = (secret: string, id?: number) =>
        app.raw(endpoint, holderInput(endpoint, secret, id), authorization === null ? {} : { authorization })
      const own = 'voucher' in access ? voucher.qrUuid : ticket.qrUuid
      const wrong = await ask(crypto.randomUUID())
      const foreign = await ask('voucher' in access ? ticket.qrUuid : voucher.qrUuid)
      const absent = await ask(own, 999_999)
      for (const answer of [wrong, foreign, absent]) expect(answer.status).toBe(404)
      expect(await wrong.text()).toBe(await absent.text())
    }
  })
})

test('another club’s object is answered byte for byte as one that does not exist', async () => {
  const scan = { method: 'POST', path: '/api/checkin/scanByRegistrationId' } as const
  const body = (eventId: number) => ({ payload: { eventId, qrCodeData: 'x' } })
  const headers = { authorization: other.token }
  const foreign = await app.raw(scan, body(fixture.event.id), headers)
  const absent = await app.raw(scan, body(999_999), headers)
  expect([foreign.status, await foreign.text()]).toEqual([absent.status, await absent.text()])
})

test('authorization is checked before the body is parsed', async () => {
  const save = { method: 'POST', path: '/api/event/save' } as const
  expect((await app.raw(save, '{broken')).status).toBe(401)
  expect((await app.raw(save, '{broken', { authorization: fixture.sudo.token })).status).toBe(403)
  expect((await app.raw(save, '{broken', { authorization: fixture.token })).status).toBe(400)
})

test('a POST with the XSRF cookie must repeat its value in the header', async () => {
  const signin = { method: 'POST', path: '/api/user/signin' } as const
  const cookie = 'XSRF-TOKEN=abc'
  expect((await app.raw(signin, {}, { cookie })).status).toBe(403)
  expect((await app.raw(signin, {}, { cookie, 'x-xsrf-token': 'abc' })).status).toBe(422)
})

test('the API reference is generated from the table', async () => {
  const document = await (await fetch(`${app.url}/api/openapi.json`)).json()
  expect(Object.keys(document.paths)).toEqual(endpoints.map(({ path }) => path))
  const page = await (await fetch(`${app.url}/api/docs`)).text()
  for (const { path } of endpoints) expect(page).toContain(path)
})

test('health, readiness and metrics are answered', async () => {
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${app.url}/metrics`)).text()).toContain('turnout_http_request_duration_seconds')
})
