import { Refusal, refusalForTicket } from '../../contract/errors.ts'
import { correctionsEnd } from '../../contract/event.ts'
import { isCompanion } from '../../contract/order.ts'
import { phoneFieldFor } from '../../contract/phone-field.ts'
import type { RegistrationData } from '../../contract/registrations.ts'
import * as texts from '../../texts/generated/api.ts'
import * as refusalTexts from '../../texts/generated/refusals.ts'
import type { Message } from '../../texts/language.ts'
import type { HeldTicket } from '../access/held-ticket.ts'
import { logRegistration } from '../db/changes.ts'
import type { Db, EventRow, RegistrationRow, TicketTypeRow } from '../db/schema.ts'
import { toAlreadyRegistered } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { findQuestions } from '../forms/queries.ts'
import { queueMail } from '../mail/queries.ts'
import { endHolds } from '../places/release-queries.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findCheckin } from '../records/checkin-queries.ts'
import { findContactAddress } from '../records/order-queries.ts'
import { countLive, lockRegistration } from '../records/registration-queries.ts'
import { findTicketTypes, ownType } from '../records/ticket-type-queries.ts'
import { checkPerson, invalidData } from './check-person.ts'
import { countHandOns, handOver } from './queries.ts'

/** How often a ticket can be handed on: each time mails two addresses that a visitor may have made up. */
const MOST_HAND_ONS = 5

/**
 * Gives a ticket to somebody else, whom its holder names: with new codes, which only the new person gets. Both are told by mail. Refuses with
 * EVENT_CANCELLED, TICKET_CANCELLED, TICKET_UNPAID, ALREADY_CHECKED_IN, HAND_ON_CLOSED, ALREADY_REGISTERED, EMAIL_LIMIT.
 */
export async function handOn({ db, now: clock }: Deps, ticket: HeldTicket, person: RegistrationData): Promise<void> {
  try {
    await db.transaction().execute(async (tx) => {
      // The event first, as everywhere: the limit of tickets for an address is decided under its lock.
      const event = await lockEvent(tx, ticket.eventId)
      const before = await lockRegistration(tx, ticket.id)
      const now = clock()
      if (!event || !before) throw new Refusal('NOT_FOUND')
      if (before.qrUuid !== ticket.qrUuid) throw new Refusal('TICKET_HANDED_ON')
      if (event.status === 'cancelled') throw new Refusal('EVENT_CANCELLED')
      const invalid = refusalForTicket(before.status)
      if (invalid) throw new Refusal(invalid)
      if ((await findCheckin(tx, before.id))?.status) throw new Refusal('ALREADY_CHECKED_IN')
      if (now >= correctionsEnd(event)) throw new Refusal('HAND_ON_CLOSED')
      const types = await findTicketTypes(tx, event.id)
      const msg = whyNotHandOn(event, before, types)
      if (msg !== null) throw new Refusal('HAND_ON_CLOSED', { msg })
      if (await isHandedOnOften(tx, before)) throw new Refusal('HAND_ON_CLOSED', { msg: texts.handedOnOften })
      // Holds that have ended keep nobody out.
      await endHolds(tx, [event.id], now)
      const { timeZone } = event
      const checked = checkPerson(person, {
        ...{
          timeZone,
          phoneField: phoneFieldFor(event.phoneField, isCompanion(before)),
          isVisitor: true,
          isCompanion: isCompanion(before),
        },
        questions: await findQuestions(tx, [event.id]),
        ticketTypeId: ownType(types, before.ticketTypeId)?.id,
      })
      if ('wrong' in checked) throw invalidData(checked, 'payload.registrationData')
      if ((await countLive(tx, event.id, person.email, before.id)) >= event.maxPerEmail)
        throw new Refusal('EMAIL_LIMIT')
      const { id, clubId } = await handOver(tx, before, { ...person, ...checked }, now)
      await logRegistration(tx, now, before, { userId: null, action: 'handed on' })
      // Never held: it may tell of a theft. Whoever has no address of their own had the ticket through the contact.
      const recipient = before.email || (await findContactAddress(tx, before))
      if (recipient !== '') {
        const news = { clubId, registrationId: id, kind: 'ticket handed on' as const, recipient }
        await queueMail(tx, news, now)
      }
      await queueMail(tx, { clubId, registrationId: id, kind: 'ticket', isUnasked: true }, now)
    })
  } catch (error) {
    throw toAlreadyRegistered(error)
  }
}

/** Whether a ticket can be handed on by its holder now; does not check how often that has been done. */
export function canHandOn({ event, registration, types, now }: Holding, isIn: boolean): boolean {
  const isUsable = registration.status === 'confirmed' && event.status !== 'cancelled' && !isIn
  return isUsable && now < correctionsEnd(event) && whyNotHandOn(event, registration, types) === null
}

export interface Holding {
  event: EventRow
  registration: RegistrationRow
  types: readonly TicketTypeRow[]
  now: Date
}

/** Why its holder cannot hand a valid ticket on before the event is over, though the event lets others; null otherwise. */
export async function handOnNote(
  db: Db,
  { event, registration, types, now }: Holding,
  isIn: boolean,
): Promise<Message | null> {
  const isUsable = registration.status === 'confirmed' && event.status !== 'cancelled' && !isIn
  if (!event.allowsHandOn || !isUsable || now >= event.endsAt) return null
  const why = whyNotHandOn(event, registration, types)
  if (why !== null) return why
  if (now >= correctionsEnd(event)) return refusalTexts.handOnClosed
  return (await isHandedOnOften(db, registration)) ? texts.handedOnOften : null
}

/** Whether a ticket has been handed on as often as it can be. */
async function isHandedOnOften(db: Db, { id, handedOnAt }: RegistrationRow): Promise<boolean> {
  return handedOnAt !== null && (await countHandOns(db, id)) >= MOST_HAND_ONS
}

/** Why nobody can hand this ticket on, whatever the time and its state; null if its holder can. */
function whyNotHandOn(
  event: Pick<EventRow, 'allowsHandOn'>,
  { id, orderId, ticketTypeId, member }: RegistrationRow,
  types: readonly TicketTypeRow[],
): Message | null {
  if (!event.allowsHandOn) return texts.handOnOff
  if (member !== null || ownType(types, ticketTypeId)?.access === 'member') return texts.handOnMembers
  // The order, with the tickets of the others, goes with its contact.
  return orderId === id ? texts.handOnContact : null
}
