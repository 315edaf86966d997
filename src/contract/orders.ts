import * as z from 'zod/mini'
import { club } from './club.ts'
import { api } from './endpoint.ts'
import { event } from './event.ts'
import { MOST_IN_ORDER, order } from './order.ts'
import { checkout, checkoutRefusals } from './payments.ts'
import { orderLine } from './receipts.ts'
import { paymentSummary, registration, ticketCheckin } from './registrations.ts'
import { typeOfTicket } from './ticket-type.ts'
import { id, idText, line } from './values/fields.ts'

/** One of an order's tickets. */
const ticketOfOrder = z.object({
  registration,
  /** Null where the event has only one ticket type. */
  ticketType: z.nullable(typeOfTicket),
  checkin: z.nullable(ticketCheckin),
  /** The payment; null when nothing was paid. */
  payment: z.nullable(paymentSummary),
  /** What it costs, line by line: the ticket first, then each kind of voucher; what is free is left out. */
  lines: z.array(orderLine),
  /** Whether its holder gave it to somebody else: its code and the data of the new person are left out, but for the name. */
  isHandedOn: z._default(z.boolean(), false),
  /** Whether it may be handed on to somebody else; that ends with corrections. */
  canHandOn: z._default(z.boolean(), false),
  /** How many vouchers were bought with it. */
  voucherCount: z.int(),
})
export type TicketOfOrder = z.output<typeof ticketOfOrder>

/** The calls of whoever made an order. */
export const orderApi = api({
  getOrder: {
    method: 'GET',
    path: '/api/order/getOrder',
    access: { who: 'holder', order: 'orderId', to: 'read' },
    summary: 'An order with its event and all of its tickets, the contact’s first.',
    uncompressed: true,
    input: z.strictObject({ orderId: idText, secret: line(100) }),
    payload: z.object({ order, event, club, tickets: z.array(ticketOfOrder) }),
  },
  getTicketsPdf: {
    method: 'GET',
    path: '/api/order/getTicketsPdf',
    access: { who: 'holder', order: 'orderId', to: 'get a file' },
    refuses: ['TICKET_CANCELLED', 'TICKET_UNPAID', 'TICKET_HANDED_ON'],
    file: 'application/pdf',
    summary: 'The valid tickets of an order as one PDF, a page for each.',
    input: z.strictObject({ orderId: idText, secret: line(100) }),
    payload: z.null(),
  },
  payOrder: {
    method: 'POST',
    path: '/api/order/payOrder',
    access: { who: 'holder', order: 'payload.orderId', to: 'pay' },
    refuses: [...checkoutRefusals],
    summary:
      'The way to pay all of an order that is not paid: the same session again while it is open. Holds that ended are taken up again.',
    input: z.strictObject({
      payload: z.strictObject({
        orderId: id,
        secret: line(100),
        /** Stripe's own page, where the embedded one cannot load. */
        hosted: z.optional(z.boolean()),
      }),
    }),
    payload: checkout,
  },
  giveBackTickets: {
    method: 'POST',
    path: '/api/order/giveBackTickets',
    access: { who: 'holder', order: 'payload.orderId', to: 'change' },
    refuses: ['TICKET_CANCELLED', 'TICKET_HANDED_ON', 'ALREADY_CHECKED_IN', 'EVENT_OVER', 'HAS_PAID'],
    uncompressed: true,
    summary: 'Whoever made an order gives places of it back, all of those named or none.',
    input: z.strictObject({
      payload: z.strictObject({
        orderId: id,
        secret: line(100),
        /** The ids of the registrations; those that are not of the order are 404. */
        registrationIds: z.array(id).check(z.minLength(1), z.maxLength(MOST_IN_ORDER)),
      }),
    }),
    payload: z.array(registration),
  },
})
