import { Refusal } from '../../contract/errors.ts'
import { type Registration, registrationApi } from '../../contract/registrations.ts'
import { ticketApi } from '../../contract/tickets.ts'
import * as texts from '../../texts/generated/api.ts'
import { shownTicket } from '../access/shown.ts'
import type { From as Origin, Visitor } from '../access/visitor.ts'
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
import type { From, Request } from './register/check-request.ts'
import { CompanionRegistered } from './register/refusal-of-order.ts'
import { makeRegister } from './register/register.ts'
import { returnTickets } from './return-ticket.ts'
import { calendarFileFor, ticketPdfFor } from './ticket-downloads.ts'

export function registrationRoutes(implement: Implement, deps: Deps): void {
  const register = makeRegister(deps)
  const registerCounted = (input: Request, from: From, address: string) =>
    countGuesses(deps, { eventId: input.newRegistration.eventId, address }, () => register(input, from))
  implement(registrationApi, {
    initRegistration: async (call) => {
      const { input, address } = call
      const visitor = await admitVisitor(deps, input, call)
      const from = { visitor, language: visitor && call.askedLanguage() }
      let registration: Registration
      try {
        registration = await (visitor && namesSecret(input)
          ? registerCounted(input, from, address)
          : register(input, from))
      } catch (error) {
        if (error instanceof Refusal && visitor) await forgiveRefused(deps, input)
        throw await neutral(deps, error, visitor, call)
      }
      return answerOf(deps, registration, visitor, call)
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

type Asked = Origin & { input: Request }

/**
 * The answer to a registration that has its place: with the other people of its order, and with the way to pay what is to be paid. Apart from
 * the call itself, which holds all of its variables while it waits for the place (docs/performance.md).
 */
async function answerOf(deps: Deps, savedRegistration: Registration, visitor: Visitor | null, asked: Asked) {
  const isConfirmed = savedRegistration.status === 'confirmed'
  const before = await orderOf(deps, savedRegistration, asked)
  const isFree = (before?.registrations ?? [savedRegistration]).every(({ amount }) => amount === 0)
  // Repeated with its key, a free registration whose place was given back has nothing to be paid for either.
  if (isConfirmed || isFree)
    return {
      payload: { savedRegistration, clientSecret: null, checkoutUrl: null, ...before },
      ...(isConfirmed && { msg: texts.registrationSuccessful }),
    }
  // Repeated with its key, it may be one whose hold has ended: the hold is renewed.
  const way = await createFirstCheckout(deps, savedRegistration, before?.order, asked).catch(async (error: unknown) => {
    throw await neutral(deps, error, visitor, asked)
  })
  const [current, after] = await Promise.all([
    findRegistration(deps.db, savedRegistration.id),
    orderOf(deps, savedRegistration, asked),
  ])
  return {
    payload: { savedRegistration: current ? toRegistration(current) : savedRegistration, ...way, ...after },
  }
}

async function orderOf({ db }: Deps, { orderId }: Registration, { input }: Asked) {
  const found = input.companions && (await findOrder(db, orderId))
  return found && { order: found.order, registrations: found.rows.map(toRegistrationOfOrder) }
}

/** What is thrown instead of this error, so that a visitor does not learn who is registered already: that person is told by mail. Staff do. */
async function neutral(
  deps: Deps,
  error: unknown,
  visitor: Visitor | null,
  { input, address }: Asked,
): Promise<unknown> {
  if (visitor === null) return error
  const { eventId, registrationData } = input.newRegistration
  if (error instanceof CompanionRegistered) {
    await answerRegistered(deps, { eventId, email: error.email }, address)
    return error
  }
  // Not about a companion, whom it names.
  const isListed = error instanceof Refusal && error.code === 'ALREADY_REGISTERED' && error.fields.length === 0
  return isListed ? answerRegistered(deps, { eventId, email: registrationData.email }, address) : error
}

/** Whether a registration comes with something that others might guess: a code, or the number of a member. */
function namesSecret({ code, newRegistration, companions }: Request): boolean {
  return Boolean(code || newRegistration.memberId || companions?.some(({ memberId }) => memberId))
}
