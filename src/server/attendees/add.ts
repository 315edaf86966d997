import { randomUUID } from 'node:crypto'
import type { attendeeApi } from '../../contract/attendees.ts'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { questionsFor, validateAnswers } from '../../contract/forms.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { FormQuestionRow, RegistrationRow, TicketTypeRow, Tx } from '../db/schema.ts'
import type { Answer } from '../db/tables/events.ts'
import { findExtrasOf } from '../extras/queries.ts'
import { findQuestions } from '../forms/queries.ts'
import { fingerprintOf } from '../places/fingerprint.ts'
import { placeRegistrations } from '../places/place-queries.ts'
import { endHolds } from '../places/release-queries.ts'
import { findTicketTypes, storedType } from '../records/ticket-type-queries.ts'
import { checkPerson, invalidData } from '../registrations/check-person.ts'
import { findByKeys } from '../registrations/queries.ts'
import { chooseTicketType, soldOut } from '../ticket-types/choose-ticket-type.ts'
import { chooseGiven, giveVouchers } from './give-vouchers.ts'

type Payload = Input<typeof attendeeApi.save>['payload']
export type Wish = Pick<Payload, 'ticketTypeId' | 'registrationData' | 'extrasIds' | 'idempotencyKey'>
type Data = Omit<Payload['registrationData'], 'others'> & { others: Answer[] }

/** The key that adds somebody once, and the fingerprint of its request. */
type Keyed = Pick<RegistrationRow, 'idempotencyKey' | 'fingerprint'>

interface Addition {
  tx: Tx
  now: Date
  caller: AdminCaller
  event: OwnEvent
  /** They are in already: answers and vouchers that are not asked for or on sale any more are left out, instead of being refused. */
  isIn?: boolean
  /** Called before the place is taken, when nobody was added with the key before. */
  onPlace?: () => Promise<void>
}

/**
 * Staff add somebody, confirmed at once and also when registration is closed to visitors. Capacity holds for them too: SOLD_OUT,
 * VOUCHER_SOLD_OUT. The same person twice: ALREADY_REGISTERED. Repeating the key returns the same registration. The event's row must be
 * locked. Whatever is refused, nothing has been changed by then.
 */
export async function addRegistration(
  { tx, now, caller, event, isIn = false, onPlace }: Addition,
  { ticketTypeId, registrationData, extrasIds, idempotencyKey }: Wish,
): Promise<RegistrationRow> {
  const key = idempotencyKey ?? null
  const fingerprint =
    key === null
      ? null
      : fingerprintOf({ eventId: event.id, clubId: event.clubId, ticketTypeId, registrationData, extrasIds })
  const [same] = key === null ? [] : await findByKeys(tx, [{ eventId: event.id, idempotencyKey: key }])
  if (same && same.fingerprint !== fingerprint) throw new Refusal('IDEMPOTENCY_MISMATCH')
  if (same) return same
  await endHolds(tx, [event.id], now)
  const questions = await findQuestions(tx, [event.id])
  const types = await findTicketTypes(tx, event.id)
  const type = choose(types, ticketTypeId, isIn)
  const asked = questionsFor(questions, type.id, false)
  const { others } = registrationData
  const fitting = isIn ? asked.filter((question) => fits(question, others)) : null
  const checked = checkPerson(
    fitting
      ? { ...registrationData, others: others.filter(({ qId }) => fitting.some(({ id }) => id === qId)) }
      : registrationData,
    {
      timeZone: event.timeZone,
      // At the door there may be no number, and staff may note one that the form does not ask for.
      phoneField: 'optional',
      questions: fitting ?? questions,
      ticketTypeId: type.id,
      isCompanion: false,
      isVisitor: false,
    },
  )
  if ('wrong' in checked) throw invalidData(checked, 'payload.registrationData')
  const onSale = await findExtrasOf(tx, [event.id])
  const given = isIn ? extrasIds.filter((id) => onSale.some((extras) => extras.id === id)) : extrasIds
  const wanted = chooseGiven(given, onSale, event.id)
  if (event.status === 'cancelled') throw new Refusal('EVENT_CANCELLED')
  await onPlace?.()
  const person = {
    ...registrationData,
    ...checked,
    type,
    isOnlyType: types.length === 1,
    idempotencyKey: key,
    fingerprint,
  }
  const added = await place(tx, now, caller, event, person)
  await giveVouchers(tx, now, caller, added, wanted)
  return added
}

/** Whether an answer, or its absence, is one that the question takes. */
function fits(question: FormQuestionRow, others: Wish['registrationData']['others']): boolean {
  const given = others.filter(({ qId }) => qId === question.id)
  return validateAnswers([question], given).length === 0
}

/** The type of a ticket that staff add, also outside its times of sale; of somebody who is in, also when it is not sold any more. */
function choose(types: readonly TicketTypeRow[], id: number | undefined, isIn: boolean): TicketTypeRow {
  const former = isIn ? types.find((type) => type.id === id) : undefined
  const type =
    former ?? chooseTicketType(types, { id: id ?? null, path: 'payload.ticketTypeId', now: null, code: null })
  if (type instanceof Refusal) throw type
  return type
}

async function place(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  event: OwnEvent,
  { type, isOnlyType, ...data }: Data & Keyed & { type: TicketTypeRow; isOnlyType: boolean },
): Promise<RegistrationRow> {
  // Nothing is paid through us: at the door people pay on the spot.
  const free = {
    amount: 0,
    holdExpiresAt: null,
    isLimited: false,
    language: null,
    codeId: null,
    discount: 0,
    member: null,
  }
  const request = { ...data, ...free, eventId: event.id, ticketTypeId: storedType(type), qrUuid: randomUUID() }
  const [placing] = await placeRegistrations(tx, [request], now, { userId: caller.id })
  if (placing?.outcome === 'saved') return placing.row
  if (placing?.outcome === 'duplicate') throw new Refusal('ALREADY_REGISTERED')
  throw soldOut(placing?.outcome === 'type sold out' ? 'type sold out' : 'sold out', type, isOnlyType)
}
