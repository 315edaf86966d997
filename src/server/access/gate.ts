import type * as z from 'zod/mini'
import type { Access } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { askedProof } from '../../contract/security.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'
import type { Db } from '../db/schema.ts'
import { type Limiting, limitTries } from '../limits/limit-tries.ts'
import { type AdminCaller, atScanner, type Caller, makeCallerOf, may } from './caller.ts'
import { checkToken } from './check-token.ts'
import { type HeldOrder, type HeldTicket, type HeldVoucher, proveHolder } from './held-ticket.ts'
import { type OwnClub, ownClub } from './own-club.ts'
import { type FindOwnEvent, makeOwnEvent, type OwnEvent } from './own-event.ts'
import { idAt, valueAt } from './value-at.ts'

/** The caller and what they proved, as a handler gets them, by the call's access rule. */
export type Proven<A extends Access> = A extends { who: 'visitor' }
  ? { caller: Caller | null }
  : A extends { who: 'holder'; ticket: string }
    ? { caller: Caller | null; ticket: HeldTicket }
    : A extends { who: 'holder'; order: string }
      ? { caller: Caller | null; order: HeldOrder }
      : A extends { who: 'holder' }
        ? { caller: Caller | null; voucher: HeldVoucher }
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

/** Where access is decided, from the contract's table: a call passes these checks in this order. */
export interface Gate {
  /** The caller whom an `Authorization` header authenticates; null for none. */
  findCaller: (header: string | undefined) => Promise<Caller | null>
  /** Before the body is read: may this role ever make this call, and does this member of a team have the permission? */
  checkRole: (access: Access, caller: Caller | null) => void
  /** On the raw body: does the object that it names belong to the caller's own club? */
  proveObject: (access: Access, caller: Caller | null, input: unknown) => Promise<object>
  /** On the parsed input: does the caller hold the ticket or voucher that it names? */
  proveHolder: (access: Access, from: { caller: Caller | null; address: string }, input: unknown) => Promise<object>
}

/** Makes the gate. One for the whole server, because it batches look-ups of the same moment. */
export function makeGate(server: Limiting): Gate {
  const callerOf = makeCallerOf(server.db)
  const findOwnEvent = makeOwnEvent(server.db)
  return {
    findCaller: async (header) => {
      const caller = await callerOf(header, server.now())
      if (caller?.apiToken)
        await limitTries(server, [{ rule: 'calls with an API token', of: String(caller.apiToken.id) }])
      return caller
    },
    checkRole,
    proveObject: (access, caller, input) => proveObject(server.db, findOwnEvent, access, caller, input),
    proveHolder: async (access, from, input) =>
      access.who === 'holder' ? proveHolder(server, access, from, input) : {},
  }
}

function checkRole(access: Access, caller: Caller | null): void {
  if (access.who === 'visitor' || access.who === 'holder') return
  if (!caller) throw new Refusal('SIGN_IN_NEEDED')
  if (caller.mustSetUp && access.who !== 'self' && !(caller.mayFinishAtDoor && isAtDoor(access)))
    throw new Refusal('SET_UP_SECOND_FACTOR')
  if (caller.apiToken) checkToken(access, caller)
  if (access.who === 'sudo' && caller.role !== 'sudo') throw new Refusal('NOT_ALLOWED')
  if (access.who === 'admin' && caller.role !== 'admin') throw new Refusal('NOT_ALLOWED')
  const pass = caller.role === 'admin' ? caller.pass : null
  if (access.who === 'self' && pass && !access.pass) throw new Refusal('NOT_ALLOWED')
  if ('evenEnded' in access && access.evenEnded && pass?.hasEnded && pass.stillSends) return
  if ('needs' in access && caller.role === 'admin' && !may(caller, access.needs)) throw new Refusal('NOT_ALLOWED')
  if ('fresh' in access && access.fresh === true) checkFresh(caller)
}

/** Whether it is a call of the scanner: what helper passes may do. */
function isAtDoor(access: Access): boolean {
  return 'needs' in access && atScanner.includes(access.needs)
}

/** Refuses with CONFIRM_IDENTITY and how they confirm it, unless the caller has proved lately who they are. */
export function checkFresh({ isFresh, hasSecondFactor, hasPasskey }: Caller): void {
  if (isFresh) return
  const payload: z.output<typeof askedProof> = { by: hasSecondFactor ? 'code' : 'password', hasPasskey }
  throw new Refusal('CONFIRM_IDENTITY', { payload })
}

/** Another club's object answers 404, like one that does not exist. */
async function proveObject(db: Db, findOwnEvent: FindOwnEvent, access: Access, caller: Caller | null, input: unknown) {
  if (!('club' in access || 'event' in access) || !caller) return { caller }
  if (access.who === 'sudo-or-admin' && 'club' in access) {
    const clubId = idAt(input, access.club)
    if (clubId === null) {
      if (caller.role === 'sudo') return { caller, club: null }
      if (access.add && valueAt(input, access.club) == null) throw new Refusal('NOT_ALLOWED')
      throw new Refusal('INVALID_INPUT', { fields: [{ path: access.club, msg: fieldTexts.idExpected }] })
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
  const event = eventId === null ? null : await findOwnEvent(caller, eventId)
  if (!event && eventId !== null) throw new Refusal('NOT_FOUND')
  if ('toEdit' in access && access.toEdit && caller.role === 'admin' && valueAt(input, access.toEdit.id) != null)
    if (!may(caller, access.toEdit.needs)) throw new Refusal('NOT_ALLOWED')
  return { caller, event }
}
