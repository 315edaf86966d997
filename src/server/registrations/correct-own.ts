import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { correctionsEnd } from '../../contract/event.ts'
import { questionsFor } from '../../contract/forms.ts'
import { isCompanion } from '../../contract/order.ts'
import { phoneFieldAfter } from '../../contract/phone-field.ts'
import type { Registration } from '../../contract/registrations.ts'
import type { ticketApi } from '../../contract/tickets.ts'
import type { HeldTicket } from '../access/held-ticket.ts'
import { toAlreadyRegistered } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { findQuestions } from '../forms/queries.ts'
import { findCheckin } from '../records/checkin-queries.ts'
import { findEvent } from '../records/event-queries.ts'
import { lockRegistration, toRegistration } from '../records/registration-queries.ts'
import { findTicketTypes, ownType } from '../records/ticket-type-queries.ts'
import { checkPerson, invalidData } from './check-person.ts'
import { correct } from './correct.ts'

type Payload = Input<typeof ticketApi.correct>['payload']

/**
 * Lets ticket holders correct what they filled in. Refuses with TICKET_CANCELLED, ALREADY_CHECKED_IN, EDIT_CONFLICT when staff
 * corrected it meanwhile, CORRECTIONS_CLOSED after the event's deadline, ALREADY_REGISTERED when the name is another ticket's.
 */
export async function correctOwn(
  { db, now }: Deps,
  ticket: HeldTicket,
  { registrationData, version }: Payload,
): Promise<Registration> {
  try {
    return await db.transaction().execute(async (tx) => {
      const before = await lockRegistration(tx, ticket.id)
      // Handed on in the meantime, it is somebody else's.
      if (before?.qrUuid !== ticket.qrUuid) throw new Refusal(before ? 'TICKET_HANDED_ON' : 'NOT_FOUND')
      if (version !== undefined && version !== before.version) throw new Refusal('EDIT_CONFLICT')
      const event = await findEvent(tx, before.eventId)
      if (!event || event.status === 'cancelled') throw new Refusal('EVENT_CANCELLED')
      if (before.status === 'cancelled') throw new Refusal('TICKET_CANCELLED')
      if ((await findCheckin(tx, before.id))?.status) throw new Refusal('ALREADY_CHECKED_IN')
      if (now() >= correctionsEnd(event)) throw new Refusal('CORRECTIONS_CLOSED')
      const questions = await findQuestions(tx, [event.id])
      const ticketTypeId = ownType(await findTicketTypes(tx, event.id), before.ticketTypeId)?.id
      const phoneField = phoneFieldAfter(event.phoneField, before.phone)
      const asking = { timeZone: event.timeZone, phoneField, questions, ticketTypeId, isCompanion: isCompanion(before) }
      const form = { ...asking, isVisitor: true, before: before.others }
      const checked = checkPerson(registrationData, form)
      if ('wrong' in checked) throw invalidData(checked, 'payload.registrationData')
      const data = { ...registrationData, ...checked, email: before.email }
      return toRegistration(
        await correct(tx, before, data, questionsFor(questions, ticketTypeId, isCompanion(before)), {
          now: now(),
          userId: null,
        }),
      )
    })
  } catch (error) {
    throw toAlreadyRegistered(error)
  }
}
