import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../contract/errors.ts'
import { paymentApi } from '../../contract/payments.ts'
import { refundApi } from '../../contract/refunds.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { byOrigin, limitTries } from '../limits/limit-tries.ts'
import { createCheckout } from './checkout/create-checkout.ts'
import { sessionStatus } from './checkout/session-status.ts'
import { refund } from './refund.ts'
import { retryRefundsOf, retryRefundsOfRemoved } from './retry-refunds.ts'
import { takeEvent } from './stripe-events.ts'

export function paymentRoutes(implement: Implement, deps: Deps): void {
  implement(refundApi, {
    retryRefunds: async ({ caller, event }) => ({ payload: { count: await retryRefundsOf(deps, caller, event) } }),
    retryRefundsOfRemoved: async ({ caller }) => ({ payload: { count: await retryRefundsOfRemoved(deps, caller) } }),
  })
  implement(paymentApi, {
    createCheckout: async ({ ticket, input, caller, address }) => ({
      payload: await createCheckout(deps, ticket, { caller, address }, input.payload),
    }),
    sessionStatus: async (call) => {
      await limitTries(deps, byOrigin('session status by network', call))
      return { payload: await sessionStatus(deps, call.input.sessionId) }
    },
    // Stripe itself is asked by the worker: nobody waits for it here.
    refund: async ({ caller, event, input }) => ({
      payload: await refund(deps, caller, event, input.payload),
      msg: texts.refundQueued,
    }),
  })
}

/** Stripe's webhook. Outside the contract's table, because the signature covers the raw bytes of the body. */
export function stripeWebhook(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post('/api/stripe/webhook', async ({ body, headers }) => {
      const signature = headers['stripe-signature']
      if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw new Refusal('BAD_SIGNATURE')
      await takeEvent(deps, body, signature)
      return { payload: null }
    })
  })
}
