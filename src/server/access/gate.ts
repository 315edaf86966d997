import type { Access } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Db } from '../db/schema.ts'
import type { AdminCaller, Caller } from './caller.ts'
import { type OwnClub, ownClub } from './own-club.ts'
import type { FindOwnEvent, OwnEvent } from './own-event.ts'

/** What a handler gets to know of who calls and what they proved, by the call's access rule. */
export type Proven<A extends Access> = A extends { who: 'visitor' }
  ? { caller: Caller | null }
  : A extends { who: 'self' | 'sudo' }
    ? { caller: Caller }
    : A extends { who: 'sudo-or-admin'; event: string }
      ? { caller: Caller; event: OwnEvent }
      : A extends { who: 'sudo-or-admin' }
        ? { caller: Caller; club: OwnClub | null }
        : A extends { who: 'admin'; add: true }
          ? { caller: AdminCaller; event: OwnEvent | null }
          : A extends { who: 'admin'; event: string }
            ? { caller: AdminCaller; event: OwnEvent }
            : { caller: AdminCaller; club: OwnClub }

/** First check, before anything of the body is read: may somebody of this role ever make this call? */
export function checkRole(access: Access, caller: Caller | null): void {
  if (access.who === 'visitor') return
  if (!caller) throw new Refusal('SIGN_IN_NEEDED')
  if (access.who === 'sudo' && caller.role !== 'sudo') throw new Refusal('NOT_ALLOWED')
  if (access.who === 'admin' && caller.role !== 'admin') throw new Refusal('NOT_ALLOWED')
}

/** Second check: is the object named in the input one of the caller's own club? Another club's is as good as none. */
export async function proveObject(
  db: Db,
  findOwnEvent: FindOwnEvent,
  access: Access,
  caller: Caller | null,
  input: unknown,
) {
  if (access.who === 'visitor' || access.who === 'self' || access.who === 'sudo' || !caller) return { caller }
  if (access.who === 'sudo-or-admin' && 'club' in access) {
    const clubId = idAt(input, access.club)
    if (clubId === null) {
      if (caller.role === 'sudo') return { caller, club: null }
      if (access.add && isLeftOut(input, access.club)) throw new Refusal('NOT_ALLOWED')
      throw new Refusal('INVALID_INPUT', { fields: [{ path: access.club, msg: 'Expected an id.' }] })
    }
    const club = caller.role === 'sudo' || caller.clubId === clubId ? await ownClub(db, clubId) : null
    if (!club) throw new Refusal('NOT_FOUND')
    return { caller, club }
  }
  if (access.who === 'admin' && caller.role !== 'admin') throw new Refusal('NOT_ALLOWED')
  if ('club' in access) {
    const clubId = idAt(input, access.club)
    const club = clubId !== null && clubId === caller.clubId ? await ownClub(db, clubId) : null
    if (!club && clubId !== null) throw new Refusal('NOT_FOUND')
    return { caller, club }
  }
  const eventId = idAt(input, access.event)
  const event = eventId === null ? null : await findOwnEvent(caller.clubId, eventId)
  if (!event && eventId !== null) throw new Refusal('NOT_FOUND')
  return { caller, event }
}

/** The id at `path` in the raw input; null when none stands there, which the input's schema then judges. */
function idAt(input: unknown, path: string): number | null {
  const value = valueAt(input, path)
  const id = typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2_147_483_647 ? id : null
}

function isLeftOut(input: unknown, path: string): boolean {
  return valueAt(input, path) == null
}

function valueAt(input: unknown, path: string): unknown {
  let value = input
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(key) : undefined
  return value
}
