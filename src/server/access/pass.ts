import {
  type PassAbility,
  type Permission,
  permissionsOf,
  permissionsOfPass,
  type TeamRole,
} from '../../contract/permissions.ts'

/** A helper pass that is open on a phone. */
export interface OpenPass {
  abilities: readonly PassAbility[]
  /** From when on nothing may be done with it any more. */
  endsAt: Date
  hasEnded: boolean
}

/** A pass is valid this long after its event, in ms, unless it is revoked. */
const AFTER_EVENT_MS = 12 * 60 * 60_000

interface PassColumns {
  passMay: PassAbility[] | null
  passRevokedAt: Date | null
  /** When the pass's event ends. */
  eventEndsAt: Date | null
}

/** From when on a pass of this event is not valid any more. */
export function endOfPass(revokedAt: Date | null, eventEndsAt: Date): Date {
  const last = new Date(eventEndsAt.getTime() + AFTER_EVENT_MS)
  return revokedAt !== null && revokedAt < last ? revokedAt : last
}

/** The helper pass in a user's columns; null for somebody with an account. */
export function toOpenPass({ passMay, passRevokedAt, eventEndsAt }: PassColumns, now: Date): OpenPass | null {
  if (passMay === null) return null
  // Without its event, which is removed, a pass is of no use.
  const endsAt = eventEndsAt === null ? new Date(0) : endOfPass(passRevokedAt, eventEndsAt)
  return { abilities: passMay, endsAt, hasEnded: endsAt <= now }
}

/** What somebody may do for their club: by their pass, if they have one, else by their role. */
export function permissionsWith(teamRole: TeamRole | null, pass: OpenPass | null): readonly Permission[] {
  if (pass === null) return permissionsOf(teamRole)
  return pass.hasEnded ? [] : permissionsOfPass(pass.abilities)
}
