import { type Permission, passAbilities, permissionsOfPass, type TeamRole } from '../../contract/permissions.ts'
import { FRESH_MINUTES } from '../../contract/security.ts'
import { batch } from '../db/batch.ts'
import type { Db } from '../db/schema.ts'
import { hashOf } from '../tokens.ts'
import { isApiToken, makeCallerWithToken } from './api-token.ts'
import { type OpenPass, permissionsWith, toOpenPass } from './pass.ts'
import { findSessions, touchSession } from './queries.ts'

interface Person {
  id: number
  fullName: string
  tokenHash: string
  /** The API token with which a program acts for them; null for themselves. */
  apiToken: { id: number; name: string } | null
  /** Whether they have proved lately who they are. */
  isFresh: boolean
  /** Whether signing in takes a second factor. */
  hasSecondFactor: boolean
  hasPasskey: boolean
  /** Whether they must set one up before they may do anything else. */
  mustSetUp: boolean
  /** Whether they may go on at the door nevertheless: they were signed in when it was required. */
  mayFinishAtDoor: boolean
}

/** The signed-in caller. */
export type Caller = (Person & { role: 'sudo'; clubId: null }) | AdminCaller
export type AdminCaller = Person & {
  role: 'admin'
  clubId: number
  teamRole: TeamRole
  permissions: readonly Permission[]
  /** The helper pass with which they work; null for people with an account. */
  pass: OpenPass | null
  /** The only events that they may work on; null: all of the club's. */
  eventIds: readonly number[] | null
}

/** Whether somebody of a team may do this. */
export function may({ permissions }: AdminCaller, permission: Permission): boolean {
  return permissions.includes(permission)
}

/** Whether the caller is in the team of the event's club and may work on it; not before they have the second factor that the club requires. */
export function worksOn(caller: Caller | null, event: { id: number; clubId: number }): caller is AdminCaller {
  return !caller?.mustSetUp && isOfItsTeam(caller, event)
}

/** The same whether or not they have it. */
export function isOfItsTeam(caller: Caller | null, event: { id: number; clubId: number }): caller is AdminCaller {
  return (
    caller?.role === 'admin' &&
    caller.clubId === event.clubId &&
    (caller.eventIds === null || caller.eventIds.includes(event.id))
  )
}

interface Asked {
  tokenHash: string
  now: Date
}

type Session = Awaited<ReturnType<typeof findSessions>>[number]

const DAY = 24 * 60 * 60_000
/** A session ends after this long without use. */
export const IDLE_DAYS = 30
const FRESH_MS = FRESH_MINUTES * 60_000
/** For how long whoever was signed in when a second factor was required may go on at the door without: the length of a night. */
const DOOR_GRACE_MS = 12 * 60 * 60_000
/** What the scanner needs. */
export const atScanner = permissionsOfPass(passAbilities)
const TOUCH_EVERY = 60 * 60_000

/**
 * Makes the function that finds the caller whom an `Authorization` header authenticates, with or without `Bearer `; null for none. Look-ups
 * of the same moment share a query.
 */
export function makeCallerOf(db: Db): (header: string | undefined, now: Date) => Promise<Caller | null> {
  const find = batch<Asked, Session | null>(
    async (asked) => {
      const idleSince = new Date(Math.max(...asked.map(({ now }) => now.getTime())) - IDLE_DAYS * DAY)
      const hashes = asked.map(({ tokenHash }) => tokenHash)
      const found = new Map((await findSessions(db, hashes, idleSince)).map((session) => [session.tokenHash, session]))
      return hashes.map((hash) => found.get(hash) ?? null)
    },
    { most: 256, atOnce: 2 },
  )
  const callerWithToken = makeCallerWithToken(db)
  return async (header, now) => {
    const token = header?.replace(/^Bearer\s+/i, '').trim()
    if (!token) return null
    if (isApiToken(token)) return callerWithToken(token, now)
    const tokenHash = hashOf(token)
    const session = await find({ tokenHash, now })
    if (!session) return null
    // Updated once an hour at the most: a write for each call would cost more than it is worth.
    if (now.getTime() - session.lastUsedAt.getTime() > TOUCH_EVERY) await touchSession(db, tokenHash, now)
    const { clubId, teamRole, eventIds, hasSecondFactor, hasPasskey, secondFactorSince } = session
    const pass = toOpenPass(session, now)
    const provedAt = session.confirmedAt ?? session.createdAt
    const person = {
      id: session.id,
      fullName: session.fullName,
      tokenHash,
      apiToken: null,
      // A pass is opened by a link, which proves nothing about who holds the phone.
      isFresh: pass === null && now.getTime() - provedAt.getTime() < FRESH_MS,
      hasSecondFactor,
      hasPasskey,
      mustSetUp: pass === null && session.needsSecondFactor === true && !hasSecondFactor,
      mayFinishAtDoor:
        secondFactorSince !== null &&
        session.createdAt < secondFactorSince &&
        now.getTime() - secondFactorSince.getTime() < DOOR_GRACE_MS,
    }
    // The shared fields come last: an object that begins with those of another gets a hidden class of its own each time (decision 96).
    if (clubId === null) return { role: 'sudo', clubId: null, ...person }
    return (
      teamRole && {
        role: 'admin',
        clubId,
        teamRole,
        // Until it is set up, not even a call of the scanner does what only the role allows.
        permissions: permissionsWith(teamRole, pass).filter((each) => !person.mustSetUp || atScanner.includes(each)),
        pass,
        eventIds,
        ...person,
      }
    )
  }
}
