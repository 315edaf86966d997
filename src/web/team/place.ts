import * as z from 'zod/mini'
import { type TeamRole, teamRoles } from '../../contract/permissions.ts'
import { id } from '../../contract/values/fields.ts'
import * as texts from '../../texts/generated/team.ts'

/** Somebody's place in the team as a form holds it: the events chosen stay while another role is looked at. */
export const placeField = z
  .object({ teamRole: z.enum(teamRoles), isLimited: z.boolean(), eventIds: z.array(id) })
  .check(
    z.refine(({ teamRole, isLimited, eventIds }) => teamRole !== 'door' || !isLimited || eventIds.length > 0, {
      path: ['eventIds'],
      error: texts.noEventChosen,
    }),
  )
export type Place = z.output<typeof placeField>

interface Stored {
  teamRole: TeamRole
  eventIds: number[] | null
}

export function fromStored({ teamRole, eventIds }: Stored): Place {
  return { teamRole, isLimited: eventIds !== null, eventIds: eventIds ?? [] }
}

export function toStored({ teamRole, isLimited, eventIds }: Place): Stored {
  return { teamRole, eventIds: teamRole === 'door' && isLimited ? eventIds : null }
}
