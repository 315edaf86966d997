import { Refusal } from '../../../contract/errors.ts'
import { type From, type Visitor, visitorOf } from '../../access/visitor.ts'
import type { Deps } from '../../deps.ts'
import { forgive, type Try } from '../../limits/limit-tries.ts'
import { limitOrProve } from '../../limits/proof.ts'
import type { Request } from './check-request.ts'

/**
 * Counts the people of a registration by network, and each of their e-mail addresses once. Refuses with PROOF_NEEDED and TOO_MANY_TRIES. Returns null for staff who
 * may add people to the event, who have no limits.
 */
export async function admitVisitor(
  deps: Deps,
  request: Request,
  { caller, address, proof }: From & { proof: string | null },
): Promise<Visitor | null> {
  const { eventId, clubId } = request.newRegistration
  const visitor = visitorOf(deps, { id: eventId, clubId }, { caller, address })
  if (visitor === null) return null
  const counted = limitOrProve(deps, 'registrations by network', {
    ...{ address, proof },
    times: 1 + (request.companions?.length ?? 0),
    others: byEmails(request),
  })
  await counted.catch(async (error: unknown) => {
    // With several addresses, one that is over its limit must not use up that of the others.
    if (error instanceof Refusal && error.code === 'TOO_MANY_TRIES') await forgiveRefused(deps, request)
    throw error
  })
  return visitor
}

/** A registration that was refused does not count for its e-mail addresses: else anybody could lock a stranger out. */
export async function forgiveRefused({ db, settings }: Deps, request: Request): Promise<void> {
  if (settings.limits) await forgive(db, byEmails(request))
}

function byEmails({ newRegistration, companions = [] }: Request): Try[] {
  const people = [newRegistration, ...companions].map(({ registrationData }) => registrationData.email.toLowerCase())
  const emails = [...new Set(people)].filter((email) => email !== '')
  return emails.map((of) => ({ rule: 'registrations by e-mail', of }))
}
