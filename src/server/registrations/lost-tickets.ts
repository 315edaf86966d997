import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import { byNetwork, limitTries } from '../limits/limit-tries.ts'
import { wantTicketMails } from '../mail/queries.ts'
import { findEvent } from '../records/event-queries.ts'
import { findEventsOf } from './queries.ts'

interface Wanted {
  eventId: number
  email: string
}

/**
 * Mails the tickets that an address has for an event, or for all that are not over. The answer does not reveal whether there are any;
 * limited by address and network.
 */
export async function mailTickets(
  deps: Deps,
  { eventId, email }: { eventId?: number | undefined; email: string },
  address: string,
): Promise<void> {
  if (eventId === undefined) {
    await limitTickets(deps, `all ${email}`, address)
    // As many statements for a known address as for any other, so that the time of the answer tells nothing.
    const eventIds = await findEventsOf(deps.db, email, deps.now())
    await wantTicketMails(deps.db, eventIds, email, deps.now())
    return
  }
  const event = await findEvent(deps.db, eventId)
  if (!event || event.status === 'draft') throw new Refusal('NOT_FOUND')
  await mailWithinLimits(deps, { eventId, email }, address)
}

/**
 * Answers a visitor who registers somebody already on the list: the ticket is mailed again, and the words are the same when it was mailed
 * too often already or there is none yet.
 */
export async function answerRegistered(deps: Deps, wanted: Wanted, address: string): Promise<Refusal> {
  await mailWithinLimits(deps, wanted, address).catch((error: unknown) => {
    if (!(error instanceof Refusal && error.code === 'TOO_MANY_TRIES')) throw error
  })
  return new Refusal('ALREADY_REGISTERED', {
    msg: texts.sentAgainIfRegistered,
  })
}

async function mailWithinLimits(deps: Deps, { eventId, email }: Wanted, address: string): Promise<void> {
  await limitTickets(deps, `${eventId} ${email}`, address)
  await wantTicketMails(deps.db, [eventId], email, deps.now())
}

function limitTickets(deps: Deps, of: string, address: string): Promise<void> {
  return limitTries(deps, [
    { rule: 'lost tickets by address', of: of.toLowerCase() },
    ...byNetwork('lost tickets by network', address),
  ])
}
