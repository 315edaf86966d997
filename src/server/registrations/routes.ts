import type { FastifyInstance } from 'fastify'
import { registrationApi } from '../../contract/registrations.ts'
import type { Deps } from '../deps.ts'
import { implement } from '../http/implement.ts'
import { findTicket } from './find-ticket.ts'
import { makeRegister } from './register.ts'

export function registrationRoutes(app: FastifyInstance, deps: Deps): void {
  const register = makeRegister(deps)
  implement(app, deps, registrationApi, {
    initRegistration: async ({ input }) => {
      const savedRegistration = await register(input)
      return { payload: { savedRegistration, clientSecret: null, checkoutUrl: null }, msg: 'Registration Successful!' }
    },
    getRegistration: async ({ input, caller }) => ({ payload: await findTicket(deps, caller, input) }),
  })
}
