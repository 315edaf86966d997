import { Readable } from 'node:stream'
import { Refusal } from '../../contract/errors.ts'
import { firstUnpaid } from '../../contract/order.ts'
import { orderApi } from '../../contract/orders.ts'
import * as texts from '../../texts/generated/api.ts'
import type { HeldOrder } from '../access/held-ticket.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { createCheckout } from '../payments/checkout/create-checkout.ts'
import { findRegistrationsOfHeld, isGivenAway } from '../records/order-queries.ts'
import { returnTickets } from '../registrations/return-ticket.ts'
import { ticketFacts } from '../registrations/ticket-facts.ts'
import { pdfForVisitor } from '../tickets/maker.ts'
import { readOrder } from './read-order.ts'

export function orderRoutes(implement: Implement, deps: Deps): void {
  implement(orderApi, {
    getOrder: async ({ order, language }) => ({ payload: await readOrder(deps, order, language()) }),
    getTicketsPdf: async ({ order, closed }) => ({ payload: null, file: await ticketsPdf(deps, order, closed()) }),
    payOrder: async ({ order, input, caller, address }) => {
      const rows = await findRegistrationsOfHeld(deps.db, order)
      const unpaid = firstUnpaid(rows)
      if (!unpaid)
        throw new Refusal(rows.some(({ status }) => status === 'confirmed') ? 'ALREADY_PAID' : 'TICKET_CANCELLED')
      const { hosted } = input.payload
      return { payload: await createCheckout(deps, unpaid, { caller, address }, { hosted, isOrder: true }) }
    },
    giveBackTickets: async ({ order, input }) => {
      const { registrationIds } = input.payload
      const rows = await findRegistrationsOfHeld(deps.db, order)
      const chosen = rows.filter((row) => registrationIds.includes(row.id) && !isGivenAway(row))
      if (chosen.length < new Set(registrationIds).size) throw new Refusal('NOT_FOUND')
      const payload = await returnTickets(deps, chosen, rows[0]?.email ?? '')
      return { payload, msg: () => texts.placesGivenBack({ count: payload.length }) }
    },
  })
}

/** The valid tickets as one PDF. Refuses with TICKET_UNPAID or TICKET_CANCELLED when there is none, and with UNAVAILABLE while too many wait. */
async function ticketsPdf({ db, settings }: Deps, order: HeldOrder, closed: AbortSignal) {
  const rows = await findRegistrationsOfHeld(db, order)
  const valid = rows.filter((row) => row.status === 'confirmed' && !isGivenAway(row))
  if (valid.length === 0)
    throw new Refusal(rows.some(({ status }) => status === 'pending') ? 'TICKET_UNPAID' : 'TICKET_CANCELLED')
  const content = await pdfForVisitor(await ticketFacts(db, valid), settings.baseUrl, closed)
  return { name: `tickets-${order.id}.pdf`, content: Readable.from([content]) }
}
