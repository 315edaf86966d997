import type { Payload } from '../../../contract/endpoint.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { paymentApi } from '../../../contract/payments.ts'
import type { Deps } from '../../deps.ts'
import { findRegistration } from '../../records/registration-queries.ts'
import { claimForPolling, findPaymentBySession } from '../payment-queries.ts'
import { faultOf } from '../stripe.ts'
import { syncSession } from './sync-session.ts'

/**
 * The status of a session; a payment that Stripe reports is confirmed at once. Asked again within two seconds, it answers from what is
 * known here. Refuses with NOT_FOUND.
 */
export async function sessionStatus(deps: Deps, sessionId: string): Promise<Payload<typeof paymentApi.sessionStatus>> {
  const before = await findPaymentBySession(deps.db, sessionId)
  if (!before || before.registrationId === null) throw new Refusal('NOT_FOUND')
  let told: 'open' | 'complete' | 'expired' | null = null
  if (
    deps.stripe &&
    before.status !== 'paid' &&
    (!deps.settings.limits || (await claimForPolling(deps.db, before.id, deps.now())))
  ) {
    // If Stripe does not answer, what is known here is returned; the page asks again.
    const session = await deps.stripe.client.checkout.sessions.retrieve(sessionId).catch((error: unknown) => {
      deps.log.warn({ fault: faultOf(error), paymentId: before.id }, 'session not asked')
      return null
    })
    if (session) await syncSession(deps, before, session)
    // Stripe's type leaves room for future values.
    told = session?.status === 'complete' ? 'complete' : session?.status === 'expired' ? 'expired' : null
  }
  const [payment, registration] = await Promise.all([
    findPaymentBySession(deps.db, sessionId),
    findRegistration(deps.db, before.registrationId),
  ])
  if (!payment || !registration) throw new Refusal('NOT_FOUND')
  const words = { paid: 'complete', ended: 'expired', open: 'open', starting: 'open' } as const
  return {
    status: payment.status === 'paid' ? 'complete' : (told ?? words[payment.status]),
    paymentStatus: payment.status === 'paid' ? 'paid' : 'unpaid',
    registrationId: registration.id,
    // Whoever paid for a ticket and gave it to somebody else does not learn its new code.
    qrUuid: registration.handedOnAt === null ? registration.qrUuid : '',
    registrationStatus: registration.status,
  }
}
