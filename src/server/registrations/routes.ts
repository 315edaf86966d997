import { Refusal } from '../../contract/errors.ts'
import { type Registration, registrationApi } from '../../contract/registrations.ts'
import { ticketApi } from '../../contract/tickets.ts'
import * as texts from '../../texts/generated/api.ts'
import { shownTicket } from '../access/shown.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { countGuesses } from '../limits/guesses.ts'
import { forgive, limitTries, type Try } from '../limits/limit-tries.ts'
import { createFirstCheckout } from '../payments/checkout/create-checkout.ts'
import { findOrder, toRegistrationOfOrder } from '../records/order-queries.ts'
import { findRegistration, toRegistration } from '../records/registration-queries.ts'
import { correctOwn } from './correct-own.ts'
import { findTicket, openTicket } from './find-ticket.ts'
import { handOn } from './hand-on.ts'
import { answerRegistered, mailTickets } from './lost-tickets.ts'
import { admitVisitor, forgiveRefused } from './register/admit-visitor.ts'
import type { Request } from './register/check-request.ts'
import { CompanionRegistered } from './register/refusal-of-order.ts'
import { makeRegister } from './register/register.ts'
import { returnTickets } from './return-ticket.ts'
import { calendarFileFor, ticketPdfFor } from './ticket-downloads.ts'

export function registrationRoutes(implement: Implement, deps: Deps): void {
  const register = makeRegister(deps)
  implement(registrationApi, {
    initRegistration: async ({ input, caller, address, proof, askedLanguage }) => {
      const visitor = await admitVisitor(deps, input, { caller, address, proof })
      const { eventId, registrationData } = input.newRegistration
      const { email } = registrationData
      const neutrally = async (error: unknown): Promise<never> => {
        // Not about a companion, whom it names.
        const isListed =
          error instanceof Refusal && error.code === 'ALREADY_REGISTERED' && error.fields.length === 0 && visitor
        if (error instanceof CompanionRegistered && visitor) {
          await answerRegistered(deps, { eventId, email: error.email }, address)
          throw error
        }
        throw isListed ? await answerRegistered(deps, { eventId, email }, address) : error
      }
      const orderOf = async ({ orderId }: Registration) => {
        const found = input.companions && (await findOrder(deps.db, orderId))
        return found && { order: found.order, registrations: found.rows.map(toRegistrationOfOrder) }
      }
      const place = () => register(input, { visitor, language: visitor && askedLanguage() })
      const placed = visitor && namesSecret(input) ? countGuesses(deps, { eventId, address }, place) : place()
      const savedRegistration = await placed.catch(async (error: unknown) => {
        if (error instanceof Refusal && visitor) await forgiveRefused(deps, input)
        return neutrally(error)
      })
      const isConfirmed = savedRegistration.status === 'confirmed'
      const before = await orderOf(savedRegistration)
      const isFree = (before?.registrations ?? [savedRegistration]).every(({ amount }) => amount === 0)
      // Repeated with its key, a free registration whose place was given back has nothing to be paid for either.
      if (isConfirmed || isFree)
        return {
          payload: { savedRegistration, clientSecret: null, checkoutUrl: null, ...before },
          ...(isConfirmed && { msg: texts.registrationSuccessful }),
        }
      // Repeated with its key, it may be one whose hold has ended: the hold is renewed.
      const way = await createFirstCheckout(deps, savedRegistration, before?.order, { caller, address }).catch(
        neutrally,
      )
      const [current, after] = await Promise.all([
        findRegistration(deps.db, savedRegistration.id),
        orderOf(savedRegistration),
      ])
      return {
        payload: { savedRegistration: current ? toRegistration(current) : savedRegistration, ...way, ...after },
      }
    },
    findTicket: async ({ input, address }) => {
      await mailTickets(deps, input.payload, address)
      return { payload: null, msg: texts.ticketOnItsWay }
    },
  })
  implement(ticketApi, {
    getRegistration: async ({ caller, ticket, input, language }) => {
      const found = await findTicket(deps, ticket, language())
      // Whoever has the secret is told it again; staff who read without it learn it only if they may send tickets.
      const isHeld = input.qrUuid !== undefined || caller?.role !== 'admin'
      if (!isHeld) return { payload: shownTicket(caller, found) }
      // Whoever got a ticket from somebody else does not see what that person paid.
      return { payload: ticket.handedOnAt === null ? found : { ...found, payment: null, receipt: null } }
    },
    getTicketPdf: async ({ ticket, closed }) => ({ payload: null, file: await ticketPdfFor(deps, ticket, closed()) }),
    getCalendarFile: async ({ ticket }) => ({ payload: null, file: await calendarFileFor(deps, ticket) }),
    correct: async ({ ticket, input }) => ({
      payload: await correctOwn(deps, ticket, input.payload),
      msg: texts.saved,
    }),
    handOn: async ({ ticket, input }) => {
      const { registrationData } = input.payload
      const tries: Try[] = [{ rule: 'registrations by e-mail', of: registrationData.email.toLowerCase() }]
      try {
        await limitTries(deps, tries)
        await handOn(deps, ticket, registrationData)
      } catch (error) {
        // As when registering: else anybody could lock a stranger out.
        if (error instanceof Refusal && deps.settings.limits) await forgive(deps.db, tries)
        throw error
      }
      return { payload: null, msg: texts.handedOn }
    },
    noteOpened: async ({ caller, ticket, input }) => {
      await openTicket(deps, caller, ticket, input.payload.mailId)
      return { payload: null }
    },
    giveBack: async ({ ticket }) => {
      const [payload] = await returnTickets(deps, [ticket], null)
      if (!payload) throw new Error('A ticket given back is not there.')
      return { payload, msg: texts.placeGivenBack }
    },
  })
}

/** Whether a registration comes with something that others might guess: a code, or the number of a member. */
function namesSecret({ code, newRegistration, companions }: Request): boolean {
  return Boolean(code || newRegistration.memberId || companions?.some(({ memberId }) => memberId))
}
