import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../contract/errors.ts'
import { registrationApi } from '../../contract/registrations.ts'
import type { Deps } from '../deps.ts'
import { implement } from '../http/implement.ts'
import { limitHolder } from '../limits/limit-holder.ts'
import { firstCheckout } from '../payments/checkout.ts'
import { admitVisitor, forgiveRefused } from './admit-visitor.ts'
import { correctOwn } from './correct-own.ts'
import { findTicket, openTicket } from './find-ticket.ts'
import { giveBack } from './give-back.ts'
import { answerRegistered, mailTickets } from './mail-tickets.ts'
import { findRegistration, toRegistration } from './queries.ts'
import { makeRegister } from './register.ts'
import { calendarFileFor, ticketPdfFor } from './ticket-files.ts'

export function registrationRoutes(app: FastifyInstance, deps: Deps): void {
  const register = makeRegister(deps)
  implement(app, deps, registrationApi, {
    initRegistration: async ({ input, caller, address, proof }) => {
      const visitor = await admitVisitor(deps, input, { caller, address, proof })
      const { eventId, registrationData } = input.newRegistration
      const { email } = registrationData
      const neutrally = async (error: unknown): Promise<never> => {
        const isListed = error instanceof Refusal && error.code === 'ALREADY_REGISTERED' && visitor
        throw isListed ? await answerRegistered(deps, { eventId, email }, address) : error
      }
      const savedRegistration = await register(input, visitor).catch(async (error: unknown) => {
        if (error instanceof Refusal && visitor) await forgiveRefused(deps, email)
        return neutrally(error)
      })
      const isConfirmed = savedRegistration.status === 'confirmed'
      // Sent again with its key, a free one whose place was given back has nothing to be paid for either.
      if (isConfirmed || savedRegistration.amount === 0)
        return {
          payload: { savedRegistration, clientSecret: null, checkoutUrl: null },
          ...(isConfirmed && { msg: 'Registration Successful!' }),
        }
      // Sent again with its key it may be one whose hold has ended: that is taken up again.
      const way = await firstCheckout(deps, savedRegistration, { caller, address }).catch(neutrally)
      const current = await findRegistration(deps.db, savedRegistration.id)
      return { payload: { savedRegistration: current ? toRegistration(current) : savedRegistration, ...way } }
    },
    getTicketPdf: async (call) => ({
      payload: null,
      file: await limitHolder(deps, 'ticket files by network', call, () =>
        ticketPdfFor(deps, call.input, call.closed()),
      ),
    }),
    getCalendarFile: async (call) => ({
      payload: null,
      file: await limitHolder(deps, 'ticket files by network', call, () => calendarFileFor(deps, call.input)),
    }),
    correct: async (call) => ({
      payload: await limitHolder(deps, 'tickets changed by network', call, () => correctOwn(deps, call.input.payload)),
      msg: 'Saved.',
    }),
    noteOpened: async (call) => {
      await limitHolder(deps, 'tickets read by network', call, () => openTicket(deps, call.caller, call.input.payload))
      return { payload: null }
    },
    giveBack: async (call) => ({
      payload: await limitHolder(deps, 'tickets changed by network', call, () => giveBack(deps, call.input.payload)),
      msg: 'Your place is free again. Thank you for telling us.',
    }),
    findTicket: async ({ input, address }) => {
      await mailTickets(deps, input.payload, address)
      return { payload: null, msg: 'If this address is registered, the ticket is on its way to it.' }
    },
    getRegistration: async (call) => ({
      payload: await limitHolder(deps, 'tickets read by network', call, () =>
        findTicket(deps, call.caller, call.input),
      ),
    }),
  })
}
