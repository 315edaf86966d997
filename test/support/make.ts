import { randomUUID } from 'node:crypto'
import { apiTokenApi } from '../../src/contract/api-tokens.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi, type QuestionFields } from '../../src/contract/forms.ts'
import { passApi } from '../../src/contract/passes.ts'
import { type PassAbility, passAbilities, type TeamRole } from '../../src/contract/permissions.ts'
import { type Registration, type RegistrationData, registrationApi } from '../../src/contract/registrations.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { hashPassword } from '../../src/server/auth/passwords.ts'
import { insertSession } from '../../src/server/auth/queries.ts'
import { insertUser } from '../../src/server/records/user-queries.ts'
import { hashOf, newToken } from '../../src/server/tokens.ts'
import { BASE_URL, type TestApp } from './start-app.ts'

export const PASSWORD = 'correct horse 1'
let counter = 0
/** Computed once, because hashing is slow on purpose. */
let hashed: Promise<string> | null = null

/** Opens a session without signing in, which is slow on purpose. */
export async function tokenFor(app: TestApp, userId: number): Promise<string> {
  const token = newToken()
  await insertSession(
    app.deps.db,
    { tokenHash: hashOf(token), userId, browser: '', system: '', address: '' },
    app.clock.now,
  )
  return token
}

export async function makeSudo(app: TestApp) {
  const email = `sudo${++counter}@example.org`
  hashed ??= hashPassword(PASSWORD)
  const passwordHash = await hashed
  const createdAt = app.clock.now
  const user = await insertUser(app.deps.db, {
    role: 'sudo',
    fullName: 'Sue Do',
    email,
    passwordHash,
    clubId: null,
    createdAt,
  })
  if (!user) throw new Error('The e-mail address is taken.')
  return { ...user, token: await tokenFor(app, user.id) }
}

/** A club with one admin who is signed in. */
export async function makeClub(app: TestApp, sudoToken: string) {
  const n = ++counter
  const club = await app.call(
    clubApi.save,
    { name: `Club ${n}`, timeZone: 'Europe/Berlin', currency: 'eur' },
    sudoToken,
  )
  const payload = { fullName: `Ana Admin ${n}`, email: `admin${n}@example.org`, clubId: club.id, password: PASSWORD }
  const admin = await app.call(appUserApi.save, { payload }, sudoToken)
  return { club, admin, token: await tokenFor(app, admin.id) }
}

/** Somebody with this role in the club's team who is signed in. */
export async function makeMember(
  app: TestApp,
  { clubId, token }: { clubId: number; token: string },
  teamRole: TeamRole,
  eventIds: number[] | null = null,
) {
  const n = ++counter
  const payload = {
    fullName: `Mo Member ${n}`,
    email: `member${n}@example.org`,
    clubId,
    password: PASSWORD,
    teamRole,
    eventIds,
  }
  const member = await app.call(appUserApi.save, { payload }, token)
  return { member, token: await tokenFor(app, member.id) }
}

/** A club with a published event, open for registration. */
export async function makeEvent(app: TestApp, token: string, fields: Partial<Input<typeof eventApi.save>> = {}) {
  return app.call(
    eventApi.save,
    {
      name: 'Summer party',
      startsAt: new Date('2026-11-27T18:00:00.000Z'),
      endsAt: new Date('2026-11-27T22:00:00.000Z'),
      status: 'published',
      ...fields,
    },
    token,
  )
}

/** Everything a test of visitors needs: the operator, a club, its admin, and a published event. */
export async function makeFixture(app: TestApp, fields: Partial<Input<typeof eventApi.save>> = {}) {
  const sudo = await makeSudo(app)
  const { club, admin, token } = await makeClub(app, sudo.token)
  return { sudo, club, admin, token, event: await makeEvent(app, token, fields) }
}

/** Gives an event a form with these questions. */
export async function makeForm(app: TestApp, token: string, eventId: number, formQuestions: QuestionFields[]) {
  return app.call(formApi.save, { payload: { eventId, formQuestions, rmQIds: [] } }, token)
}

/** A voucher on sale at an event. */
export async function makeExtras(
  app: TestApp,
  token: string,
  eventId: number,
  fields: Partial<Input<typeof extrasApi.saveExtras>['payload']> = {},
) {
  const payload = { eventId, name: 'Drinks', description: '', price: 0, content: [], maxQuantity: null, ...fields }
  return app.call(extrasApi.saveExtras, { payload }, token)
}

interface Person {
  name?: string
  email?: string
  phone?: string
  others?: RegistrationData['others']
  idempotencyKey?: string
  extrasIds?: number[]
}

/** The input of a registration with sensible values, a new person each time. */
export function registrationFor(
  event: Pick<Event, 'id' | 'clubId'>,
  person: Person = {},
): Input<typeof registrationApi.initRegistration> {
  const n = ++counter
  const {
    name = `Visitor ${n}`,
    email = `visitor${n}@example.org`,
    phone = '+49 30 1234567',
    others = [],
    idempotencyKey,
    extrasIds = [],
  } = person
  return {
    newRegistration: { eventId: event.id, clubId: event.clubId, registrationData: { name, email, phone, others } },
    extrasIds,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
}

export async function makeRegistration(app: TestApp, event: Event, person: Person = {}): Promise<Registration> {
  const { savedRegistration } = await app.call(registrationApi.initRegistration, registrationFor(event, person))
  return savedRegistration
}

/** The input of a scan of this ticket. */
export function scanOf(registration: Registration, eventId = registration.eventId, scanId: string = randomUUID()) {
  return { payload: { qrCodeData: ticketUrl(BASE_URL, registration), eventId, scanId } }
}

/** A helper pass of the event, open on a phone; with all abilities unless others are given. */
export async function makePass(
  app: TestApp,
  { id: eventId }: Event,
  token: string,
  may: PassAbility[] = [...passAbilities],
) {
  const payload = { eventId, key: randomUUID(), name: 'Hal Helper', may, phones: 1 }
  const made = await app.call(passApi.makePass, { payload }, token)
  const opened = await app.raw(passApi.openPass, { token: made.token, phone: randomUUID() })
  return { ...made, session: opened.headers.get('authorization') ?? '' }
}

/** An API token of whoever has this session; its value, and what the list shows of it. */
export async function makeApiToken(
  app: TestApp,
  session: string,
  fields: Partial<Input<typeof apiTokenApi.makeToken>['payload']> = {},
) {
  const payload = { name: 'Website', permissions: ['read' as const], days: 90 as const, ...fields }
  return app.call(apiTokenApi.makeToken, { payload }, session)
}
