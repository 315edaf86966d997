import { Refusal } from '../../contract/errors.ts'
import type { TeamRole } from '../../contract/permissions.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Tx } from '../db/schema.ts'
import { countEvents } from './queries.ts'

/** Somebody's role in a team, and the only events that they work on; null for all. */
export interface PlaceInTeam {
  teamRole: TeamRole
  eventIds: number[] | null
}

/** The place with this role. Refuses with INVALID_INPUT when another role than `door` is limited to some events. */
export function placeInTeam(teamRole: TeamRole, eventIds: readonly number[] | null): PlaceInTeam {
  if (eventIds === null) return { teamRole, eventIds }
  if (teamRole !== 'door') throw new Refusal('INVALID_INPUT', { fields: [atEventIds(texts.onlyDoorIsLimited)] })
  return { teamRole, eventIds: [...new Set(eventIds)].sort((a, b) => a - b) }
}

/** Refuses with INVALID_INPUT unless all of these are events of the club. */
export async function checkEvents(tx: Tx, clubId: number, eventIds: readonly number[] | null): Promise<void> {
  if (eventIds === null || (await countEvents(tx, clubId, eventIds)) === eventIds.length) return
  throw new Refusal('INVALID_INPUT', { fields: [atEventIds(texts.eventsOfTheClub)] })
}

function atEventIds(msg: typeof texts.eventsOfTheClub) {
  return { path: 'payload.eventIds', msg }
}
