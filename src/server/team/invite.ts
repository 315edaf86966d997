import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { teamApi } from '../../contract/team.ts'
import * as texts from '../../texts/generated/api.ts'
import * as refusalTexts from '../../texts/generated/refusals.ts'
import type { Caller } from '../access/caller.ts'
import type { OwnClub } from '../access/own-club.ts'
import { logChange } from '../db/changes.ts'
import type { UserRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { queueInvitationMail } from '../mail/queries.ts'
import { findUser, insertUser, updateUser } from '../records/user-queries.ts'
import { hasWebAddress } from '../registrations/web-address.ts'
import { limitInvitations } from '../users/limit-invitations.ts'
import { checkEvents, placeInTeam } from '../users/place-in-team.ts'
import { startTeamChange } from '../users/start-team-change.ts'
import { lockInvited } from './queries.ts'

/** For how long an invitation can be accepted, in ms. */
const VALID_MS = 7 * 24 * 60 * 60_000

/**
 * Invites somebody: a user without a password, and the mail with the link with which they choose one. Refuses with EMAIL_TAKEN,
 * INVALID_INPUT and TOO_MANY_TRIES.
 */
export async function invite(
  deps: Deps,
  caller: Caller,
  club: OwnClub,
  input: Input<typeof teamApi.invite>['payload'],
): Promise<UserRow> {
  const { db, now } = deps
  const { fullName, email } = input
  // It is written into a mail to somebody who has not asked for one.
  if (hasWebAddress(fullName))
    throw new Refusal('INVALID_INPUT', { fields: [{ path: 'payload.fullName', msg: texts.nameIsWebAddress }] })
  const place = placeInTeam(input.teamRole, input.eventIds)
  return limitInvitations(deps, { clubId: club.id, email }, () =>
    db.transaction().execute(async (tx) => {
      await startTeamChange(tx, caller, club.id)
      await checkEvents(tx, club.id, place.eventIds)
      const createdAt = now()
      const invitedUntil = new Date(createdAt.getTime() + VALID_MS)
      const row = {
        role: 'admin' as const,
        fullName,
        email,
        passwordHash: '',
        clubId: club.id,
        createdAt,
        language: null,
      }
      const user = await insertUser(tx, { ...row, ...place, invitedUntil })
      if (!user) throw new Refusal('EMAIL_TAKEN', { fields: [{ path: 'payload.email', msg: refusalTexts.emailTaken }] })
      await queueInvitationMail(tx, { id: user.id, clubId: club.id }, createdAt)
      const what = { subject: 'user' as const, subjectId: user.id, action: 'invited', after: place }
      await logChange(tx, createdAt, { clubId: club.id, userId: caller.id, ...what })
      return user
    }),
  )
}

/** Sends an invitation again; it can be accepted for as long as a new one. Refuses with NOT_FOUND and TOO_MANY_TRIES. */
export async function inviteAgain(deps: Deps, caller: Caller, club: OwnClub, id: number): Promise<UserRow> {
  const { db, now } = deps
  const invited = await findUser(db, id)
  if (invited?.clubId !== club.id) throw new Refusal('NOT_FOUND')
  return limitInvitations(deps, { clubId: club.id, email: invited.email }, () =>
    db.transaction().execute(async (tx) => {
      await startTeamChange(tx, caller, club.id)
      if (!(await lockInvited(tx, id, club.id))) throw new Refusal('NOT_FOUND')
      const at = now()
      const user = await updateUser(tx, id, { invitedUntil: new Date(at.getTime() + VALID_MS) })
      await queueInvitationMail(tx, { id, clubId: club.id }, at)
      const what = { subject: 'user' as const, subjectId: id, action: 'invited again' }
      await logChange(tx, at, { clubId: club.id, userId: caller.id, ...what })
      return user
    }),
  )
}
