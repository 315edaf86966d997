import { authApi } from '../../src/contract/auth.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import type { Endpoint, Input } from '../../src/contract/endpoint.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { formApi } from '../../src/contract/forms.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { fromAnswer, toRequest } from '../../src/contract/wire.ts'

/** The operator of a server started for a test. */
export const OPERATOR = { SUDO_EMAIL: 'sudo@example.org', SUDO_PASSWORD: 'operator 1' }

/** Makes a call to a server in another process. */
export async function callAt<E extends Endpoint>(base: string, endpoint: E, input: Input<E>, token = '') {
  const { method, url, body } = toRequest(endpoint, input)
  const headers = {
    ...(body !== null && { 'content-type': 'application/json' }),
    ...(token && { authorization: token }),
  }
  const response = await fetch(`${base}${url}`, { method, body, headers })
  const { payload } = fromAnswer(endpoint, response.status, await response.json())
  return { payload, token: response.headers.get('authorization') ?? '' }
}

/** Creates a club with a published event on that server; returns the event and the token of the club's admin. */
export async function makeEventAt(base: string): Promise<{ event: Event; token: string }> {
  const sudo = await callAt(base, authApi.signin, { email: OPERATOR.SUDO_EMAIL, password: OPERATOR.SUDO_PASSWORD })
  const { payload: club } = await callAt(base, clubApi.save, { name: 'Rush Club' }, sudo.token)
  const admin = { fullName: 'Ana', email: 'ana@example.org', clubId: club.id, password: 'correct horse 1' }
  await callAt(base, appUserApi.save, { payload: admin }, sudo.token)
  const { token } = await callAt(base, authApi.signin, { email: admin.email, password: admin.password })
  return { event: await addEventAt(base, token, 'Rush'), token }
}

type EventFields = Partial<Input<typeof eventApi.save>>

/** Publishes an event in June 2030. */
export async function addEventAt(base: string, token: string, name: string, fields: EventFields = {}): Promise<Event> {
  const [startsAt, endsAt] = [new Date('2030-06-21T17:00:00Z'), new Date('2030-06-21T21:00:00Z')]
  const input = { name, startsAt, endsAt, status: 'published' as const, ...fields }
  return (await callAt(base, eventApi.save, input, token)).payload
}

type Questions = Input<typeof formApi.save>['payload']['formQuestions']

export async function addQuestionsAt(base: string, token: string, event: Event, formQuestions: Questions) {
  await callAt(base, formApi.save, { payload: { eventId: event.id, formQuestions, rmQIds: [] } }, token)
}

/** How many places of an event are taken. */
export async function takenAt(base: string, { id: eventId }: Event): Promise<number> {
  return (await callAt(base, eventApi.getEvent, { eventId })).payload.registrationCount
}
