import type Stripe from 'stripe'
import { Refusal } from '../../../contract/errors.ts'
import { orderUrl } from '../../../contract/order.ts'
import { totalOf } from '../../../contract/values/money.ts'
import type { PaymentRow, RegistrationRow } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { findEvent } from '../../records/event-queries.ts'
import { findOrderKey } from '../../records/order-queries.ts'
import { findRegistrations } from '../../records/registration-queries.ts'
import { readTicketTypes, typeOf } from '../../records/ticket-type-queries.ts'
import { findPurchases } from '../../records/voucher-queries.ts'
import { findParts } from '../payment-queries.ts'

/** The session's parameters: the items to pay, with the prices of our rows, and where the visitor comes back to. */
export async function sessionRequest(
  { db, settings }: Deps,
  payment: PaymentRow,
): Promise<Stripe.Checkout.SessionCreateParams> {
  const parts = await findParts(db, payment.id)
  const paidFor = parts.flatMap(({ registrationId }) => registrationId ?? [])
  const found = await findRegistrations(db, paidFor)
  const lead = found.find(({ id }) => id === payment.registrationId)
  const event = lead && (await findEvent(db, lead.eventId))
  if (!lead || !event) throw new Refusal('NOT_FOUND')
  // Whoever made the order pays it, also where their own ticket costs nothing.
  const [contact = lead] = payment.isOrder && lead.orderId !== null ? await findRegistrations(db, [lead.orderId]) : []
  const [purchases, types = []] = await Promise.all([findPurchases(db, paidFor), readTicketTypes(db, event.id)])
  const items = parts.flatMap(({ registrationId, amount }) => {
    const registration = found.find(({ id }) => id === registrationId)
    const type = registration && typeOf(types, registration)
    const bought = purchases.filter((purchase) => purchase.registrationId === registrationId)
    return [{ name: type ? `${event.name} · ${type.name}` : event.name, price: amount - totalOf(0, bought) }, ...bought]
  })
  const order = payment.isOrder && lead.orderId !== null ? await findOrderKey(db, lead.orderId) : undefined
  const back = order ? orderUrl(settings.baseUrl, order) : registeredUrl(settings.baseUrl, lead)
  const paid = `${back}${order ? '?' : '&'}session_id={CHECKOUT_SESSION_ID}`
  return {
    mode: 'payment',
    ...(payment.isEmbedded
      ? { ui_mode: 'embedded_page', return_url: paid }
      : { ui_mode: 'hosted_page', success_url: paid, cancel_url: back }),
    // Cards only: they are charged at once, or not at all.
    allowed_payment_method_types: ['card'],
    line_items: grouped(items).map(({ name, price, quantity }) => ({
      quantity,
      price_data: { currency: payment.currency, unit_amount: price, product_data: { name } },
    })),
    expires_at: Math.floor(payment.expiresAt.getTime() / 1000),
    client_reference_id: String(lead.id),
    // `people` also says that this server knows orders: see migration 038.
    metadata: { payment: payment.key, ...(order && { people: String(parts.length) }) },
    // Filled in for the visitor where Stripe surely takes it.
    ...(/^[\w.+-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(contact.email) && {
      customer_email: contact.email,
    }),
  }
}

/** Groups equal items of the same price into one line: Stripe takes a hundred lines at the most. */
function grouped(items: readonly { name: string; price: number }[]) {
  const lines: { name: string; price: number; quantity: number }[] = []
  for (const { name, price } of items.filter((item) => item.price > 0)) {
    const same = lines.find((line) => line.name === name && line.price === price)
    if (same) same.quantity++
    else lines.push({ name, price, quantity: 1 })
  }
  return lines
}

/** The page after the registration of somebody alone. */
function registeredUrl(baseUrl: string, { clubId, eventId, id, qrUuid }: RegistrationRow): string {
  return `${baseUrl}/club/${clubId}/event/${eventId}/success?registration_id=${id}&qrUuid=${qrUuid}`
}
