import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/all-calls.ts'
import { apiTokenApi, tokenPermissions } from '../../src/contract/api-tokens.ts'
import { type Access, type Endpoint, takesTokens } from '../../src/contract/endpoint.ts'
import type { Permission } from '../../src/contract/permissions.ts'
import { makeApiToken, makeClub, makeEvent, makeExtras, makeFixture, makeRegistration } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
let ids: { ticket: number; voucher: number }
/** Tokens of the club's owner, by the one permission that each has; of an owner elsewhere, one with all; and those that have ended. */
let tokens: Map<Permission, string>
let foreign: string
let ended: { revoked: string; expired: string }

beforeAll(async () => {
  // No test makes as many calls with one token in a minute, but here the clock stands still.
  app = await startApp({ settings: { limits: false } })
  fixture = await makeFixture(app)
  await renew()
  const made = await Promise.all(
    tokenPermissions.map(async (permission) => {
      const { token } = await makeApiToken(app, fixture.token, { permissions: [permission] })
      return [permission, token] as const
    }),
  )
  tokens = new Map(made)
  const other = await makeClub(app, fixture.sudo.token)
  foreign = (await makeApiToken(app, other.token, { permissions: [...tokenPermissions] })).token
  const revoked = await makeApiToken(app, fixture.token, { permissions: [...tokenPermissions] })
  await app.call(apiTokenApi.revokeToken, { payload: { id: revoked.apiToken.id } }, fixture.token)
  const expired = await makeApiToken(app, fixture.token, { permissions: [...tokenPermissions], days: 30 })
  ended = { revoked: revoked.token, expired: expired.token }
})
afterAll(() => app.stop())

/** A call may have removed the event. */
async function renew(): Promise<void> {
  fixture.event = await makeEvent(app, fixture.token)
  const { id: extrasId } = await makeExtras(app, fixture.token, fixture.event.id)
  const { id: ticket } = await makeRegistration(app, fixture.event, { extrasIds: [extrasId] })
  const voucher = await app.deps.db
    .selectFrom('extrasPurchases')
    .select('id')
    .where('registrationId', '=', ticket)
    .executeTakeFirstOrThrow()
  ids = { ticket, voucher: voucher.id }
}

function inputFor(access: Access): Record<string, unknown> {
  if ('club' in access) return nested(access.club, fixture.club.id)
  if ('event' in access) return nested(access.event, fixture.event.id)
  if ('ticket' in access) return nested(access.ticket, ids.ticket)
  if ('order' in access) return nested(access.order, ids.ticket)
  return 'voucher' in access ? nested(access.voucher, ids.voucher) : {}
}

function nested(path: string, value: unknown): Record<string, unknown> {
  const [last = '', ...outer] = path.split('.').reverse()
  return outer.reduce<Record<string, unknown>>((inner, key) => ({ [key]: inner }), { [last]: value })
}

async function ask(endpoint: Endpoint, token: string): Promise<{ status: number; code: unknown }> {
  const response = await app.raw(endpoint, inputFor(endpoint.access), { authorization: `Bearer ${token}` })
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const code = isJson && !response.ok ? (await response.json()).code : null
  if (response.ok && endpoint.changes) await renew()
  return { status: response.status, code }
}

describe.each(endpoints.map((endpoint) => ({ path: endpoint.path, endpoint })))('$path', ({ endpoint }) => {
  const { access } = endpoint

  test('with API tokens that have one permission each', async () => {
    for (const permission of tokenPermissions) {
      const { status, code } = await ask(endpoint, tokens.get(permission) ?? '')
      const isIn = [200, 422]
      if (access.who === 'visitor') expect([...isIn, 404]).toContain(status)
      // Like a stranger without the secret.
      else if (access.who === 'holder')
        expect('staff' in access && access.staff === permission ? isIn : [404, 422]).toContain(status)
      else if (!takesTokens(access)) expect(code).toBe('NOT_FOR_TOKENS')
      else if ('needs' in access && access.needs !== permission) expect(code).toBe('NOT_ALLOWED')
      else expect(isIn).toContain(status)
    }
  })

  test('with the API token of another club', async () => {
    const { status } = await ask(endpoint, foreign)
    if (access.who === 'visitor') expect([200, 404, 422]).toContain(status)
    else if (access.who === 'holder') expect([404, 422]).toContain(status)
    else if (!takesTokens(access) || ('needs' in access && access.needs === 'team')) expect(status).toBe(403)
    else if ('club' in access || 'event' in access) expect(status).toBe(404)
    else expect([200, 422]).toContain(status)
  })

  test('with API tokens that were revoked or have expired', async () => {
    const now = app.clock.now
    const revoked = await ask(endpoint, ended.revoked)
    app.clock.now = new Date(now.getTime() + 30 * 24 * 60 * 60_000)
    const expired = await ask(endpoint, ended.expired)
    app.clock.now = now
    for (const { status } of [revoked, expired])
      if (access.who === 'visitor') expect([200, 404, 409, 422]).toContain(status)
      else if (access.who === 'holder') expect([404, 422]).toContain(status)
      else expect(status).toBe(401)
  })
})

test('these calls of staff are closed to API tokens, whatever the contract says', () => {
  const closed = endpoints.filter(({ access }) => 'needs' in access && !takesTokens(access)).map(({ path }) => path)
  expect(closed.sort()).toEqual([
    '/api/appUser/removeAppUser',
    '/api/club/exportClub',
    '/api/club/startImport',
    '/api/pass/makePass',
    '/api/pass/renewPass',
    '/api/personalData/deleteRecords',
    '/api/security/requireFactor',
    '/api/security/resetFactor',
    '/api/team/invite',
    '/api/team/inviteAgain',
    '/api/webhook/rollSecret',
    '/api/webhook/saveWebhook',
  ])
  const open = endpoints.filter(({ access }) => access.who === 'self' && takesTokens(access)).map(({ path }) => path)
  expect(open).toEqual(['/api/user/getCurrentUser'])
  expect(endpoints.some(({ access }) => access.who === 'sudo' && takesTokens(access))).toBe(false)
})
