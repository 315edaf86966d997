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
  /** Whether what was done before the end is still taken. */
  stillSends: boolean
}

/** A pass is valid this long after its event, in ms, unless it is revoked. */
const AFTER_EVENT_MS = 12 * 60 * 60_000
/** For how long after its end a pass still sends what was done before, in ms. */
const SENDS_MS = 3 * 24 * 60 * 60_000

interface PassColumns {
  passMay: PassAbility[] | null
  passRevokedAt: Date | null
  /** When the pass's event ends. */
  eventEndsAt: Date | null
  /** When the session ended, because the pass got a new link. */
  endedAt?: Date | null
}

/** From when on a pass of this event is not valid any more. */
export function endOfPass(eventEndsAt: Date, ...endedAt: (Date | null)[]): Date {
  const last = eventEndsAt.getTime() + AFTER_EVENT_MS
  return new Date(Math.min(last, ...endedAt.map((at) => at?.getTime() ?? last)))
}

/** The helper pass in a user's columns; null for somebody with an account. */
export function toOpenPass({ passMay, passRevokedAt, eventEndsAt, endedAt }: PassColumns, now: Date): OpenPass | null {
  if (passMay === null) return null
  // Without its event, which is removed, a pass is of no use.
  const endsAt = eventEndsAt === null ? new Date(0) : endOfPass(eventEndsAt, passRevokedAt, endedAt ?? null)
  const stillSends = now.getTime() < endsAt.getTime() + SENDS_MS
  return { abilities: passMay, endsAt, hasEnded: endsAt <= now, stillSends }
}

/** What somebody may do for their club: by their pass, if they have one, else by their role. */
export function permissionsWith(teamRole: TeamRole | null, pass: OpenPass | null): readonly Permission[] {
  if (pass === null) return permissionsOf(teamRole)
  return pass.hasEnded ? [] : permissionsOfPass(pass.abilities)
}
