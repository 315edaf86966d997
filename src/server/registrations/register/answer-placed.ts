import { Refusal } from '../../../contract/errors.ts'
import type { Registration } from '../../../contract/registrations.ts'
import * as texts from '../../../texts/generated/api.ts'
import type { From, Visitor } from '../../access/visitor.ts'
import type { Deps } from '../../deps.ts'
import { createFirstCheckout } from '../../payments/checkout/create-checkout.ts'
import { findOrder, toRegistrationOfOrder } from '../../records/order-queries.ts'
import { findRegistration, toRegistration } from '../../records/registration-queries.ts'
import { answerRegistered } from '../lost-tickets.ts'
import type { Request } from './check-request.ts'
import { CompanionRegistered } from './refusal-of-order.ts'

type Asked = From & { input: Request }

/**
 * The answer to a registration that has its place: with the other people of its order, and with the way to pay what is to be paid. A function
 * of its own, because the handler keeps all of its variables in memory while it waits for the place, and hundreds wait in a rush.
 */
export async function answerPlaced(deps: Deps, savedRegistration: Registration, visitor: Visitor | null, asked: Asked) {
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
    throw await errorToTell(deps, error, visitor, asked)
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

/**
 * The error to throw instead of this one. A visitor must not learn who is already registered: the refusal says the same to everybody, and
 * whoever is registered gets their ticket by mail again. Staff see the list anyway, and get the error as it is.
 */
export async function errorToTell(
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
