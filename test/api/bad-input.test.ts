import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoints } from '../../src/contract/all-calls.ts'
import { teamApi } from '../../src/contract/team.ts'
import { webhookApi } from '../../src/contract/webhooks.ts'
import { doorInputs } from '../support/door-inputs.ts'
import { changed, leaves, objects, valueAt } from '../support/json-paths.ts'
import {
  makeClub,
  makeEvent,
  makeExtras,
  makeFixture,
  makeForm,
  makePass,
  makeRegistration,
  PASSWORD,
} from '../support/make.ts'
import { passkeyInputs } from '../support/passkey-inputs.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
let inputs: Record<string, { input: Record<string, unknown>; token: string }>
let foreignIds: number[]

/** Sets up valid input for every write of the table: a new call without one fails the test below. */
beforeAll(async () => {
  app = await startApp()
  const { sudo, club, admin, token, event } = await makeFixture(app)
  const [question] = await makeForm(app, token, event.id, [
    { typeId: 2, text: 'Meal', required: false, options: ['A', 'B'] },
  ])
  const { id } = await makeRegistration(app, event)
  const extras = await makeExtras(app, token, event.id, { maxQuantity: 10 })
  const other = await makeClub(app, sudo.token)
  const foreign = await makeRegistration(app, await makeEvent(app, other.token))
  foreignIds = [foreign.id, foreign.eventId, other.club.id, other.admin.id]
  const { pass } = await makePass(app, event, token)
  const invited = await app.call(
    teamApi.invite,
    { payload: { clubId: club.id, fullName: 'Ivo', email: 'ivo@example.org', teamRole: 'manager', eventIds: null } },
    token,
  )
  const hook = { clubId: club.id, url: 'https://example.org/', events: ['registration.created' as const] }
  const { webhook } = await app.call(webhookApi.saveWebhook, { payload: hook }, token)
  const others = [{ qId: question?.id, answer: 'A' }]
  const registrationData = { name: 'Ada', email: 'ada@example.org', phone: '+49 30 1234567', others }
  const held = { registrationId: id, qrUuid: 'x' }
  const times = { startsAt: '2026-12-01T18:00:00Z', endsAt: '2026-12-01T20:00:00Z' }
  const eventId = event.id
  inputs = {
    '/api/user/signin': { token: '', input: { email: admin.email, password: PASSWORD } },
    '/api/user/register': {
      token: '',
      input: { fullName: 'Nia', email: 'nia@example.org', password: PASSWORD, clubName: 'New', clubLocation: '' },
    },
    '/api/user/forgotPassword': { token: '', input: { email: 'nobody@example.org' } },
    '/api/user/resetPassword': { token: '', input: { token: 'x', password: PASSWORD } },
    '/api/user/signout': { token: '', input: {} },
    '/api/user/endSession': { token: '', input: { payload: { id: 1 } } },
    '/api/user/endOtherSessions': { token: '', input: {} },
    '/api/appUser/save': {
      token: sudo.token,
      input: {
        payload: {
          id: admin.id,
          fullName: 'Ana',
          email: admin.email,
          clubId: club.id,
          role: 'admin',
          removeImage: false,
        },
      },
    },
    '/api/team/invite': {
      token,
      input: {
        payload: { clubId: club.id, fullName: 'Ida', email: 'ida@example.org', teamRole: 'door', eventIds: [event.id] },
      },
    },
    '/api/security/confirmIdentity': { token, input: { password: PASSWORD } },
    '/api/security/startApp': { token, input: {} },
    '/api/security/finishApp': { token, input: { code: '123456' } },
    ...passkeyInputs(token),
    '/api/security/removeApp': { token, input: {} },
    '/api/security/dropNewAddress': { token, input: {} },
    '/api/user/confirmAddress': { token: '', input: { token: 'x' } },
    '/api/security/makeRecoveryCodes': { token, input: {} },
    '/api/security/resetFactor': { token, input: { payload: { clubId: club.id, id: admin.id } } },
    '/api/security/requireFactor': { token, input: { payload: { clubId: club.id, isRequired: false } } },
    '/api/token/makeToken': { token, input: { payload: { name: 'Website', permissions: ['read'], days: 90 } } },
    '/api/token/revokeToken': { token, input: { payload: { id: 1 } } },
    '/api/webhook/saveWebhook': {
      token,
      input: { payload: { clubId: club.id, url: 'https://example.org/', events: ['registration.created'] } },
    },
    '/api/webhook/rollSecret': { token, input: { payload: { clubId: club.id, id: webhook.id } } },
    '/api/webhook/pauseWebhook': { token, input: { payload: { clubId: club.id, id: webhook.id, isPaused: true } } },
    '/api/webhook/removeWebhook': { token, input: { payload: { clubId: club.id, id: 1_000_000 } } },
    '/api/personalData/deleteRecords': {
      token,
      input: { payload: { clubId: club.id, keys: ['registration:1000000'] } },
    },
    '/api/webhook/sendAgain': { token, input: { payload: { clubId: club.id, id: 1 } } },
    '/api/webhook/sendTest': { token, input: { payload: { clubId: club.id, id: webhook.id } } },
    '/api/team/inviteAgain': { token, input: { payload: { clubId: club.id, id: invited.id } } },
    '/api/pass/makePass': {
      token,
      input: { payload: { eventId, key: crypto.randomUUID(), name: 'Hal', may: ['tickets'], phones: 1 } },
    },
    '/api/pass/renewPass': { token, input: { payload: { eventId, id: pass.id } } },
    '/api/pass/revokePass': { token, input: { payload: { eventId, id: pass.id } } },
    '/api/pass/readPass': { token: '', input: { token: 'x' } },
    '/api/pass/openPass': { token: '', input: { token: 'x', phone: crypto.randomUUID() } },
    '/api/team/readInvitation': { token: '', input: { token: 'x' } },
    '/api/team/declineInvitation': { token: '', input: { token: 'x' } },
    '/api/team/acceptInvitation': { token: '', input: { token: 'x', fullName: 'Ida', password: PASSWORD } },
    '/api/appUser/makePasswordLink': { token: sudo.token, input: { payload: { id: admin.id } } },
    '/api/event/saveTranslations': {
      token,
      input: { payload: { eventId, language: 'de', texts: [{ of: 'Summer party', text: 'Sommerfest' }] } },
    },
    '/api/club/save': {
      token,
      input: {
        id: club.id,
        name: 'Club',
        location: 'X',
        description: 'D',
        email: 'c@example.org',
        phone: '+49 30 1234567',
        website: 'https://example.org',
        colour: '#1b5e20',
        listed: true,
        currency: 'eur',
        timeZone: 'Europe/Berlin',
        removeLogo: false,
      },
    },
    '/api/club/saveCover': { token, input: { clubId: club.id, removeCover: true } },
    '/api/event/copy': { token, input: { payload: { eventId, startsAt: times.startsAt } } },
    '/api/event/save': {
      token,
      input: {
        id: eventId,
        clubId: club.id,
        name: 'Event',
        description: 'D',
        location: 'L',
        ...times,
        timeZone: 'Europe/Berlin',
        maxAttendees: 100,
        ticketPrice: 0,
        currency: 'eur',
        registrationOpensAt: null,
        registrationClosesAt: null,
        correctionsUntil: null,
        phoneField: 'required',
        status: 'published',
        removeBanner: false,
      },
    },
    '/api/text/preview': { token, input: { text: '**Hi**' } },
    '/api/form/save': {
      token,
      input: {
        payload: {
          eventId,
          formQuestions: [
            { id: question?.id, typeId: 2, text: 'Meal', required: false, options: ['A', 'B'], showAtDoor: true },
          ],
          rmQIds: [],
          phoneField: 'optional',
        },
      },
    },
    '/api/registration/initRegistration': {
      token: '',
      input: {
        newRegistration: { eventId, clubId: club.id, registrationData },
        extrasIds: [extras.id],
        idempotencyKey: 'k',
      },
    },
    '/api/registration/save': {
      token,
      input: { payload: { id, eventId, registrationData, resend: false, extrasIds: [] } },
    },
    '/api/registration/updateStatus': { token, input: { payload: { id, eventId, status: 'cancelled' } } },
    '/api/registration/changeMany': { token, input: { payload: { eventId, registrationIds: [id], action: 'resend' } } },
    '/api/registration/correct': {
      token: '',
      input: { payload: { ...held, registrationData: { ...registrationData, email: undefined } } },
    },
    '/api/registration/handOn': { token: '', input: { payload: { ...held, registrationData } } },
    '/api/registration/noteOpened': { token: '', input: { payload: held } },
    '/api/registration/giveBack': { token: '', input: { payload: held } },
    '/api/order/giveBackTickets': {
      token: '',
      input: { payload: { orderId: id, secret: 'x', registrationIds: [id] } },
    },
    '/api/order/payOrder': { token: '', input: { payload: { orderId: id, secret: 'x' } } },
    '/api/registration/findTicket': { token: '', input: { payload: { eventId, email: 'nobody@example.org' } } },
    '/api/event/saveTicketTypes': { token, input: { payload: { eventId, ticketTypes: [{ name: 'Adult' }] } } },
    '/api/event/saveCode': {
      token,
      input: {
        payload: {
          ...{ eventId, code: 'EARLY', kind: 'percent', value: 20, ticketTypeIds: [], maxUses: 5, note: 'N' },
          ...{ opensAt: times.startsAt, closesAt: times.endsAt },
        },
      },
    },
    '/api/club/startImport': { token, input: { payload: { clubId: club.id, key: crypto.randomUUID(), parts: 2 } } },
    '/api/club/sendImportPart': {
      token,
      input: { payload: { clubId: club.id, key: crypto.randomUUID(), part: 0, content: 'AAAA' } },
    },
    '/api/club/saveMembers': { token, input: { payload: { clubId: club.id, members: [{ number: '7', email: '' }] } } },
    '/api/event/removeCode': { token, input: { payload: { eventId, codeId: 1 } } },
    '/api/event/saveExtras': {
      token,
      input: {
        payload: {
          id: extras.id,
          eventId,
          name: 'Drinks',
          description: 'D',
          price: 0,
          content: [{ name: 'Drink', quantity: 3 }],
          maxQuantity: 10,
        },
      },
    },
    '/api/event/sortExtras': { token, input: { payload: { eventId, extrasIds: [extras.id] } } },
    '/api/registration/scanByExtrasPurchaseId': {
      token,
      input: {
        payload: {
          qrCodeData: '{"id":1,"qrUuid":"x"}',
          eventId,
          scanId: crypto.randomUUID(),
          scannedAt: '2026-11-20T18:00:00Z',
          units: [{ name: 'Drink', count: 1 }],
          extrasPurchaseIds: [1],
        },
      },
    },
    '/api/registration/undoRedemption': {
      token,
      input: { payload: { extrasPurchaseId: 1, eventId, units: [{ name: 'Drink', count: 1 }] } },
    },
    '/api/stripe/createCheckout': {
      token: '',
      input: { payload: { registrationId: id, qrUuid: 'x', hosted: false } },
    },
    '/api/stripe/refund': { token, input: { payload: { registrationId: id, eventId, amount: 1 } } },
    '/api/stripe/retryRefunds': { token, input: { payload: { eventId } } },
    '/api/stripe/retryRefundsOfRemoved': { token, input: { payload: { clubId: club.id } } },
    ...doorInputs(token, eventId, id),
    '/api/platform/sendTestMail': { token: sudo.token, input: {} },
    '/api/platform/retryJob': { token: sudo.token, input: { jobId: 1 } },
    '/api/page/save': { token: sudo.token, input: { type: 'terms', body: 'Ours' } },
  }
})
afterAll(() => app.stop())

const bad: readonly (readonly [string, unknown])[] = [
  ['an object', { a: 1 }],
  ['a list', [[]]],
  ['nothing', null],
  ['a number', 12.5],
  ['a negative number', -1],
  ['a huge number', 1e21],
  ['yes', true],
  ['empty text', ''],
  ['text of a megabyte', 'x'.repeat(1_000_000)],
  ['text of 60 kB', 'x'.repeat(60_000)],
  ['NUL', 'a\u0000b'],
  ['half a character', '\ud800'],
  ['lines', 'a\r\nb: c'],
  ['a moment too late', '9999-12-31T23:59:59-23:59'],
  ['a moment too early', '0000-01-01T00:00:00Z'],
  ['a code with an id too large', '9999999999-12345678'],
  ['SQL', "'; drop table users; --"],
]

/** The texts that clients send in place of a missing value. */
const blank = ['null', 'undefined', 'NaN', '[object Object]'].map((text) => [text, text] as const)

const writes = endpoints.filter(({ method }) => method === 'POST')

describe.each(writes.map((endpoint) => ({ path: endpoint.path, endpoint })))('$path', ({ path, endpoint }) => {
  test('bad input is refused by the name of its field, and changes nothing', async () => {
    const { input, token } = inputs[path] ?? { input: null, token: '' }
    if (input === null) throw new Error(`This test needs a good input for ${path}.`)
    const cases = [
      ...leaves(input).flatMap((at) => [
        ...bad.map(([what, value]) => ({ what: `${at.join('.')} as ${what}`, body: changed(input, at, value) })),
        { what: `${at.join('.')} missing`, body: changed(input, at, undefined) },
        ...(typeof valueAt(input, at) === 'number'
          ? foreignIds
              .flatMap((foreign) => [foreign, String(foreign)])
              .map((foreign) => ({
                what: `${at.join('.')} of another club, ${JSON.stringify(foreign)}`,
                body: changed(input, at, foreign),
              }))
          : []),
      ]),
      ...objects(input).map((at) => ({
        what: `an unknown key in ${at.join('.')}`,
        body: changed(input, [...at, 'surprise'], 1),
      })),
      { what: 'prototype', body: `{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}` },
    ]
    for (const { what, body } of cases) {
      const before = await digest()
      const response = await app.raw(endpoint, body, token === '' ? {} : { authorization: token })
      const answer = await response.json()
      expect(response.status, `${what}: ${JSON.stringify(answer)}`).toBeLessThan(500)
      if (response.ok) continue
      if (answer.code === 'INVALID_INPUT') expect(answer.errors?.length, what).toBeGreaterThan(0)
      // For somebody who is already registered, the ticket is mailed again.
      if (answer.code !== 'ALREADY_REGISTERED') expect(await digest(), what).toEqual(before)
    }
  })
})

const reads = endpoints.filter(({ method }) => method === 'GET')

test.each(reads.map((endpoint) => ({ path: endpoint.path, endpoint })))(
  '$path handles any query without an internal error',
  async ({ endpoint }) => {
    const tokens = [inputs['/api/page/save']?.token ?? '', inputs['/api/club/save']?.token ?? '']
    const eventId = String(foreignIds[1])
    const names = endpoint.input instanceof z.ZodMiniObject ? Object.keys(endpoint.input.shape) : []
    const before = await digest()
    for (const name of names)
      for (const [what, value] of [...bad, ...blank].filter(([, value]) => JSON.stringify(value).length < 10_000)) {
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        for (const authorization of tokens) {
          const response = await app.raw(endpoint, { eventId, clubId: '1', [name]: text }, { authorization })
          expect(response.status, `${name} as ${what}`).toBeLessThan(500)
        }
      }
    expect(await digest()).toEqual(before)
  },
)

/** The content of the tables, except for the rate limit counts, which change with every attempt. */
async function digest(): Promise<unknown> {
  const tables =
    `users clubs club_members member_lists events ticket_types codes form_questions registrations checkins scan_conflicts mails changes pages extras extras_purchases
    purchase_units payments refunds sessions api_tokens webhooks webhook_deliveries`.split(/\s+/)
  const parts = tables.map(
    (table) => sql`(select md5(string_agg(t::text, '' order by t::text)) from ${sql.table(table)} t)`,
  )
  const { rows } = await sql`select concat_ws(',', ${sql.join(parts)}) as digest`.execute(app.deps.db)
  await sql`delete from limit_counts`.execute(app.deps.db)
  return rows[0]
}
