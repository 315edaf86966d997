import type { attendeeApi } from '../../contract/attendees.ts'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { questionsFor } from '../../contract/forms.ts'
import { isCompanion } from '../../contract/order.ts'
import type { Registration } from '../../contract/registrations.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import { toAlreadyRegistered } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { findExtrasOf } from '../extras/queries.ts'
import { findQuestions } from '../forms/queries.ts'
import { endHolds } from '../places/release-queries.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findEditableRegistration, toRegistration } from '../records/registration-queries.ts'
import { findTicketTypes, ownType } from '../records/ticket-type-queries.ts'
import { checkPerson, invalidData } from '../registrations/check-person.ts'
import { correct } from '../registrations/correct.ts'
import { addRegistration } from './add.ts'
import { chooseGiven, giveVouchers } from './give-vouchers.ts'
import { resend } from './send-ticket.ts'

type Payload = Input<typeof attendeeApi.save>['payload']

/** Staff add somebody, or correct a registration; either can be refused with ALREADY_REGISTERED. */
export async function saveRegistration(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { id, ...wish }: Payload,
): Promise<Registration> {
  try {
    return await db.transaction().execute(async (tx) => {
      await lockEvent(tx, event.id)
      if (id === undefined) return toRegistration(await addRegistration({ tx, now: now(), caller, event }, wish))
      await endHolds(tx, [event.id], now())
      const before = await findEditableRegistration(tx, event, id)
      return toRegistration(await correctByStaff({ tx, now: now(), caller, event, before }, wish))
    })
  } catch (error) {
    throw toAlreadyRegistered(error)
  }
}

interface Correction {
  tx: Tx
  now: Date
  caller: AdminCaller
  event: OwnEvent
  /** As it is, locked. */
  before: RegistrationRow
}

/**
 * Corrects a registration. Vouchers that are named are added to the existing ones: VOUCHER_SOLD_OUT. With the version that the caller saw,
 * it is refused with EDIT_CONFLICT when there is a newer one.
 */
async function correctByStaff(
  { tx, now, caller, event, before }: Correction,
  { registrationData, resend: isResent = false, extrasIds, version }: Omit<Payload, 'id'>,
): Promise<RegistrationRow> {
  if (version !== undefined && version !== before.version) throw new Refusal('EDIT_CONFLICT')
  const questions = await findQuestions(tx, [event.id])
  const type = ownType(await findTicketTypes(tx, event.id), before.ticketTypeId)
  const isOther = isCompanion(before)
  const checked = checkPerson(registrationData, {
    timeZone: event.timeZone,
    // Staff may note a number that the form does not ask for, or leave out one that it does.
    phoneField: 'optional',
    questions,
    ticketTypeId: type?.id,
    isCompanion: isOther,
    isVisitor: false,
    before: before.others,
  })
  if ('wrong' in checked) throw invalidData(checked, 'payload.registrationData')
  const wanted = chooseGiven(extrasIds, await findExtrasOf(tx, [event.id]), event.id)
  if (before.status === 'cancelled' && wanted.length > 0) throw new Refusal('TICKET_CANCELLED')
  await giveVouchers(tx, now, caller, before, wanted)
  const asked = questionsFor(questions, type?.id, isOther)
  const saved = await correct(tx, before, { ...registrationData, ...checked }, asked, { now, userId: caller.id })
  if (isResent) await resend(tx, now, caller, saved)
  return saved
}
