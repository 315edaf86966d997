import type { Input } from '../../contract/endpoint.ts'
import type { registrationApi } from '../../contract/registrations.ts'
import { type From, type Visitor, visitorOf } from '../access/visitor.ts'
import type { Deps } from '../deps.ts'
import { forgive, type Try } from '../limits/limit-tries.ts'
import { limitOrProve } from '../limits/proof.ts'

/**
 * Counts a registration by network and e-mail address. Refuses with PROOF_NEEDED and TOO_MANY_TRIES. Returns null for staff who
 * may add people to the event, who have no limits.
 */
export async function admitVisitor(
  deps: Deps,
  { newRegistration: { eventId, clubId, registrationData } }: Input<typeof registrationApi.initRegistration>,
  { caller, address, proof }: From & { proof: string | null },
): Promise<Visitor | null> {
  const visitor = visitorOf(deps, { id: eventId, clubId }, { caller, address })
  if (visitor === null) return null
  await limitOrProve(deps, 'registrations by network', { address, proof, others: [byEmail(registrationData.email)] })
  return visitor
}

/** A registration that was refused does not count for its e-mail address: else anybody could lock a stranger out. */
export async function forgiveRefused({ db, settings }: Deps, email: string): Promise<void> {
  if (settings.limits) await forgive(db, [byEmail(email)])
}

function byEmail(email: string): Try {
  return { rule: 'registrations by e-mail', of: email.toLowerCase() }
}
