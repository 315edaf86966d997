import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import { id } from './values/fields.ts'

/** Calls on refunds that visitors' pages need not load. */
export const refundApi = api({
  retryRefunds: {
    method: 'POST',
    path: '/api/stripe/retryRefunds',
    access: { who: 'admin', event: 'payload.eventId', needs: 'money' },
    summary: 'Ask Stripe again, at once, for all refunds of an event that it has refused; answers how many they are.',
    input: z.strictObject({ payload: z.strictObject({ eventId: id }) }),
    payload: z.object({ count: z.int() }),
  },
  retryRefundsOfRemoved: {
    method: 'POST',
    path: '/api/stripe/retryRefundsOfRemoved',
    access: { who: 'admin', club: 'payload.clubId', needs: 'money' },
    summary: 'The same for the events of a club that were removed since.',
    input: z.strictObject({ payload: z.strictObject({ clubId: id }) }),
    payload: z.object({ count: z.int() }),
  },
})
