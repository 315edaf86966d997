import { attendeeApi } from '../../src/contract/attendees.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import type { Event } from '../../src/contract/event.ts'
import { orderApi } from '../../src/contract/orders.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { type Companion, type Registration, registrationApi } from '../../src/contract/registrations.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { registrationFor } from './make.ts'
import { app, bank, pricedFixture, statusOf } from './paying.ts'

type Request = Input<typeof registrationApi.initRegistration>

/** An event with ten places that sells adults' tickets for 25.00, children's for 10.00, and babies' for nothing. */
export async function family(fields: Parameters<typeof pricedFixture>[0] = {}) {
  const fixture = await pricedFixture({ maxAttendees: 10, maxPerEmail: 10, ...fields })
  const eventId = fixture.event.id
  const [first] = await app.call(ticketTypeApi.getTicketTypes, { eventId })
  const ticketTypes = [
    { id: first?.id, name: 'Adult' },
    { name: 'Child', price: 1000, maxQuantity: 4 },
    { name: 'Baby', price: 0 },
  ]
  const types = await app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, fixture.token)
  const idOf = (name: 'Adult' | 'Child' | 'Baby') => types.find((type) => type.name === name)?.id ?? 0
  return { ...fixture, eventId, idOf }
}

/** Registers somebody with these companions; the session is the bank's. */
export async function begin(event: Event, companions: Companion[], more: Partial<Request> = {}, typeId?: number) {
  const request = registrationFor(event)
  const newRegistration = { ...request.newRegistration, ...(typeId !== undefined && { ticketTypeId: typeId }) }
  const answer = await app.call(registrationApi.initRegistration, { ...request, newRegistration, companions, ...more })
  if (!answer.order || !answer.registrations) throw new Error('An order is answered as one.')
  return { ...answer, order: answer.order, registrations: answer.registrations, session: sessionIn(answer) }
}
const sessionIn = ({ checkoutUrl }: { checkoutUrl: string | null }) => /cs_test_\w+/.exec(checkoutUrl ?? '')?.[0] ?? ''
type Secret = { id: number; secret: string }
/** Asks for the way to pay an order; returns the session. */
export const payAgain = async ({ id: orderId, secret }: Secret) =>
  sessionIn(await app.call(orderApi.payOrder, { payload: { orderId, secret } }))
/** The same by one of its tickets. */
export const payTicket = async ({ id: registrationId, qrUuid }: Registration) =>
  sessionIn(await app.call(paymentApi.createCheckout, { payload: { registrationId, qrUuid } }))
export const statusesOf = (registrations: readonly Registration[]) => Promise.all(registrations.map(statusOf))
export const orderOf = ({ id, secret }: Secret) => app.call(orderApi.getOrder, { orderId: id, secret })
export const cancel = (eventId: number, { id }: Registration, token: string) =>
  app.call(attendeeApi.updateStatus, { payload: { eventId, id, status: 'cancelled' } }, token)
export const ledger = () => bank.ledger().map(({ charged, refunded }) => [charged, refunded])
