import { Refusal } from '../../contract/errors.ts'
import { type Registration, registrationApi } from '../../contract/registrations.ts'
import { ticketApi } from '../../contract/tickets.ts'
import * as texts from '../../texts/generated/api.ts'
import { shownTicket } from '../access/shown.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { countGuesses } from '../limits/guesses.ts'
import { forgive, limitTries, type Try } from '../limits/limit-tries.ts'
import { correctOwn } from './correct-own.ts'
import { findTicket, openTicket } from './find-ticket.ts'
import { handOn } from './hand-on.ts'
import { mailTickets } from './lost-tickets.ts'
import { admitVisitor, forgiveRefused } from './register/admit-visitor.ts'
import { answerPlaced, errorToTell } from './register/answer-placed.ts'
import type { From, Request } from './register/check-request.ts'
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
        throw await errorToTell(deps, error, visitor, call)
      }
      return answerPlaced(deps, registration, visitor, call)
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
