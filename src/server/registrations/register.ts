import { createHash, randomUUID } from 'node:crypto'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { whyNotOpen } from '../../contract/events.ts'
import type { Registration, registrationApi } from '../../contract/registrations.ts'
import { joinWaiting } from '../db/join-waiting.ts'
import type { EventRow, FormQuestionRow, RegistrationRow, Tx } from '../db/schema.ts'
import { isAboutValues, isConflict } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { lockEvents } from '../events/queries.ts'
import { findQuestions } from '../forms/queries.ts'
import { checkPerson, invalidData } from './check-person.ts'
import { findByKeys, type NewRegistration, placeRegistrations, toRegistration } from './queries.ts'

type Request = Input<typeof registrationApi.initRegistration>
type Others = Request['newRegistration']['registrationData']['others']
type Waiting = Omit<NewRegistration, 'others'> & { clubId: number; others: Others }
type Outcome = RegistrationRow | Refusal

/**
 * Makes the function by which a visitor takes a seat. Those who ask at the same moment are answered from one transaction,
 * each for themselves: a seat with its ticket mail, or a refusal (SOLD_OUT, ALREADY_REGISTERED, why it is not open).
 */
export function makeRegister({ db, now }: Deps): (request: Request) => Promise<Registration> {
  const place = joinWaiting<Waiting, Outcome>(
    (requests) => db.transaction().execute((tx) => placeAll(tx, requests, now())),
    { most: 256, atOnce: 2, keysOf, isWorthSplitting: isAboutValues },
  )
  return async (request) => {
    const outcome = await place(toWaiting(request)).catch((error: unknown) => {
      // The database's own word, should two servers place the same person: the index lets one pass.
      throw isConflict(error, 'registrations_live_key') ? new Refusal('ALREADY_REGISTERED') : error
    })
    if (outcome instanceof Refusal) throw outcome
    return toRegistration(outcome)
  }
}

async function placeAll(tx: Tx, requests: Waiting[], now: Date): Promise<Outcome[]> {
  const eventIds = unique(requests)
  const events = new Map((await lockEvents(tx, eventIds)).map((event) => [event.id, event]))
  const questions = await findQuestions(tx, eventIds)
  const earlier = new Map(
    (await findByKeys(tx, requests.flatMap(withKey))).map((row) => [`${row.eventId} ${row.idempotencyKey}`, row]),
  )
  const answers = requests.map((request) => {
    const event = events.get(request.eventId)
    return (
      earlyAnswer(request, event, earlier, now) ??
      checkData(
        request,
        event?.timeZone ?? '',
        questions.filter(({ eventId }) => eventId === request.eventId),
      )
    )
  })
  const toPlace = answers.filter((answer) => 'isChecked' in answer)
  const placings = toPlace.length > 0 ? await placeRegistrations(tx, toPlace, now) : []
  return answers.map((answer) => {
    if (!('isChecked' in answer)) return answer
    const placing = placings.shift()
    if (placing?.outcome === 'saved') return placing.row
    return new Refusal(placing?.outcome === 'duplicate' ? 'ALREADY_REGISTERED' : 'SOLD_OUT')
  })
}

/** What can be said before a seat is asked for; null when one should be. */
function earlyAnswer(
  request: Waiting,
  event: EventRow | undefined,
  earlier: ReadonlyMap<string, RegistrationRow>,
  now: Date,
): Outcome | null {
  if (!event || event.clubId !== request.clubId) return new Refusal('NOT_FOUND')
  const same = earlier.get(`${request.eventId} ${request.idempotencyKey}`)
  if (same) return same.fingerprint === request.fingerprint ? same : new Refusal('IDEMPOTENCY_MISMATCH')
  const refusal = whyNotOpen(event, now)
  if (refusal) return new Refusal(refusal)
  return event.ticketPrice > 0
    ? new Refusal('PAYMENTS_OFF', { msg: 'Tickets for this event cannot be bought yet.' })
    : null
}

/** The request with its phone number and answers as they are kept, or what is wrong with them. */
function checkData(
  { others, ...request }: Waiting,
  timeZone: string,
  questions: FormQuestionRow[],
): Refusal | (NewRegistration & { isChecked: true }) {
  const data = checkPerson({ phone: request.phone, others }, timeZone, questions)
  if ('wrong' in data) return invalidData(data.wrong, 'newRegistration.registrationData')
  return { ...request, ...data, isChecked: true }
}

function toWaiting({ newRegistration, extrasIds, idempotencyKey }: Request): Waiting {
  const { eventId, clubId, registrationData } = newRegistration
  const { name, email, phone, others } = registrationData
  const unknown = extrasIds.map((_, index) => ({ path: `extrasIds.${index}`, msg: 'This voucher is not on sale.' }))
  if (unknown.length > 0) throw new Refusal('INVALID_INPUT', { fields: unknown })
  const body = JSON.stringify([eventId, clubId, name, email, phone, others])
  const fingerprint = idempotencyKey === undefined ? null : createHash('sha256').update(body).digest('hex')
  return {
    eventId,
    clubId,
    name,
    email,
    phone,
    others,
    qrUuid: randomUUID(),
    idempotencyKey: idempotencyKey ?? null,
    fingerprint,
  }
}

/** Two of the same person, or of the same key, must see each other's outcome: they never go in one statement. */
function keysOf({ eventId, email, name, idempotencyKey }: Waiting): string[] {
  const person = `${eventId} ${email.toLowerCase()} ${name.toLowerCase()}`
  return idempotencyKey === null ? [person] : [person, `${eventId} key ${idempotencyKey}`]
}

function unique(requests: Waiting[]): number[] {
  return [...new Set(requests.map(({ eventId }) => eventId))]
}

function withKey({ eventId, idempotencyKey }: Waiting) {
  return idempotencyKey === null ? [] : [{ eventId, idempotencyKey }]
}
