import { Refusal } from '../../contract/errors.ts'
import type { TeamRole } from '../../contract/permissions.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Tx } from '../db/schema.ts'

/** Somebody's role in a team, and the only events that they work on; null for all. */
export interface PlaceInTeam {
  teamRole: TeamRole
  eventIds: number[] | null
}

/** The place with this role: only whoever works at the door is limited to some events. */
export function placeInTeam(teamRole: TeamRole, eventIds: readonly number[] | null = null): PlaceInTeam {
  if (teamRole !== 'door' || eventIds === null) return { teamRole, eventIds: null }
  return { teamRole, eventIds: [...new Set(eventIds)].sort((a, b) => a - b) }
}

/** Refuses with INVALID_INPUT unless all of these are events of the club. */
export async function checkEvents(tx: Tx, clubId: number, eventIds: readonly number[] | null): Promise<void> {
  if (eventIds === null) return
  const found = await tx
    .selectFrom('events')
    .select('id')
    .where('id', 'in', eventIds)
    .where('clubId', '=', clubId)
    .where('removedAt', 'is', null)
    .execute()
  if (found.length < eventIds.length)
    throw new Refusal('INVALID_INPUT', { fields: [{ path: 'payload.eventIds', msg: texts.eventsOfTheClub }] })
}
