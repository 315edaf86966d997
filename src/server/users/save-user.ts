import { isDeepStrictEqual } from 'node:util'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { permissionsOf } from '../../contract/permissions.ts'
import type { appUserApi } from '../../contract/users.ts'
import * as texts from '../../texts/generated/api.ts'
import * as refusalTexts from '../../texts/generated/refusals.ts'
import type { Message } from '../../texts/language.ts'
import { type Caller, may } from '../access/caller.ts'
import { checkFresh } from '../access/gate.ts'
import { checkNewPassword } from '../auth/common-passwords.ts'
import { wantNewAddress } from '../auth/confirm-address.ts'
import { lockSelf } from '../auth/lock-self.ts'
import { hashPassword, isPassword } from '../auth/passwords.ts'
import { deletePasswordResets, deleteSessionsOf } from '../auth/queries.ts'
import { logChange } from '../db/changes.ts'
import { differences } from '../db/differences.ts'
import { omitUndefined } from '../db/omit-undefined.ts'
import type { Tx, UserRow } from '../db/schema.ts'
import { isConflict, toLastOwner } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { saveWithImage } from '../images/save-with-image.ts'
import { limitTries } from '../limits/limit-tries.ts'
import { queueInvitationMail, queueOldAddressMail } from '../mail/queries.ts'
import { findClub, lockClub } from '../records/club-queries.ts'
import * as userQueries from '../records/user-queries.ts'
import { hasWebAddress } from '../registrations/web-address.ts'
import { newPassword } from '../tokens.ts'
import { limitByClub, limitInvitations, limitNewAddresses } from './limit-invitations.ts'
import { checkEvents, type PlaceInTeam, placeInTeam } from './place-in-team.ts'
import { startTeamChange } from './start-team-change.ts'

type UserInput = Input<typeof appUserApi.save>['payload']
type Saved = UserRow & { password?: string }

/** Adds an admin, or edits one. All but one's own profile needs a fresh sign-in. A generated password is returned with the user, only this once. */
export async function saveUser(deps: Deps, caller: Caller, input: UserInput, upload: Buffer | null): Promise<Saved> {
  if (caller.mustSetUp && input.id !== caller.id) throw new Refusal('SET_UP_SECOND_FACTOR')
  if (input.password !== undefined) checkNewPassword(input.password, 'payload.password')
  const save =
    input.id === undefined ? await addAdmin(deps, caller, input) : await editUser(deps, caller, input.id, input)
  const image = {
    kind: 'user' as const,
    field: 'image',
    upload,
    clubId: caller.clubId,
    remove: input.removeImage ?? false,
  }
  return saveWithImage(deps, image, (stored) => save(stored?.file))
}

/** Saves with this photo ('' for none, undefined to leave it), and returns the previous one. */
type Save = (image: string | undefined) => Promise<{ saved: Saved; fileBefore: string }>

async function addAdmin(deps: Deps, caller: Caller, input: UserInput): Promise<Save> {
  const { db, now } = deps
  const { clubId, fullName, email } = input
  if (caller.role === 'admin' && clubId !== caller.clubId) throw new Refusal('NOT_FOUND')
  if (caller.role === 'admin' && !may(caller, 'team')) throw new Refusal('NOT_ALLOWED')
  checkFresh(caller)
  if (clubId === null) throw invalid('clubId', texts.clubNeeded)
  if (input.role === 'sudo') throw invalid('role', texts.onlyAdmins)
  if (!(await findClub(db, clubId))) throw new Refusal('NOT_FOUND')
  if (caller.role === 'admin') await limitByClub(deps, clubId)
  const { teamRole, eventIds } = placeInTeam(input.teamRole ?? 'owner', input.eventIds ?? null)
  const password = input.password ?? newPassword()
  const passwordHash = await hashPassword(password)
  return (image = '') =>
    db.transaction().execute(async (tx) => {
      await startTeamChange(tx, caller, clubId)
      await checkEvents(tx, clubId, eventIds)
      const createdAt = now()
      const row = {
        role: 'admin' as const,
        fullName,
        email,
        passwordHash,
        clubId,
        image,
        createdAt,
        language: input.language ?? null,
        teamRole,
        eventIds,
      }
      const user = await userQueries.insertUser(tx, row)
      if (!user) throw emailTaken()
      await logChange(tx, createdAt, {
        clubId,
        userId: caller.id,
        subject: 'user',
        subjectId: user.id,
        action: 'added',
        after: { teamRole, eventIds },
      })
      return { saved: { ...user, ...(input.password === undefined && { password }) }, fileBefore: '' }
    })
}

async function editUser(deps: Deps, caller: Caller, id: number, input: UserInput): Promise<Save> {
  const { db, now } = deps
  const before = await userQueries.findUser(db, id)
  const isSelf = id === caller.id
  const mayEdit =
    before && (isSelf || (before.role === 'admin' && (caller.role === 'sudo' || before.clubId === caller.clubId)))
  if (!mayEdit || input.clubId !== before.clubId) throw new Refusal('NOT_FOUND')
  if (!isSelf && caller.role === 'admin' && !may(caller, 'team')) throw new Refusal('NOT_ALLOWED')
  if (!isSelf) checkFresh(caller)
  // The invitation's mail greets them by it.
  if (before.invitedUntil && hasWebAddress(input.fullName)) throw invalid('fullName', texts.nameIsWebAddress)
  if (input.role !== undefined && input.role !== before.role) throw invalid('role', texts.roleStays)
  if (before.teamRole === null && input.teamRole != null) throw invalid('teamRole', texts.roleStays)
  const generated = input.resetPassword ? newPassword() : null
  const password = generated ?? input.password ?? null
  // The address allows a password reset, so it is guarded like the password: a borrowed phone must not be enough.
  if (isSelf && (password !== null || !isSameAddress(input.email, before.email))) {
    // For others the password itself, which comes with the call, is the proof.
    if (caller.hasSecondFactor) checkFresh(caller)
    await checkOwnPassword(deps, before, input.currentPassword ?? '')
  }
  const passwordHash = password === null ? null : await hashPassword(password)

  const save: Save = (image) =>
    db
      .transaction()
      .execute(async (tx) => {
        if (!isSelf && before.clubId !== null) await startTeamChange(tx, caller, before.clubId)
        // The trigger that keeps an owner locks the club. Everybody locks it before a user, or two could wait for each other.
        else if (input.teamRole != null && before.clubId !== null) await lockClub(tx, before.clubId)
        // A new password would outlive a session that was ended meanwhile.
        const locked = isSelf && password !== null ? await lockSelf(tx, caller) : await userQueries.lockUser(tx, id)
        if (!locked) throw new Refusal('NOT_FOUND')
        if (input.version !== undefined && input.version !== locked.version) throw new Refusal('EDIT_CONFLICT')
        // The address was confirmed meanwhile: changing it back would need the password.
        if (isSelf && !isSameAddress(before.email, locked.email)) throw new Refusal('EDIT_CONFLICT')
        // Counts once its link is opened.
        const waits = isSelf && input.confirmEmail === true && !isSameAddress(input.email, locked.email)
        if (!waits && !isSameAddress(input.email, locked.email)) await userQueries.freeExpired(tx, input.email, now())
        if (await userQueries.isEmailTaken(tx, input.email, id, now())) throw emailTaken()
        const { fullName, language } = input
        const email = waits ? locked.email : input.email
        const place = await newPlace(tx, locked, input, caller)
        const edit = omitUndefined({
          ...{ fullName, email, language, image, ...place },
          // Whoever has a password can sign in, and needs no invitation.
          ...(passwordHash !== null && { passwordHash, invitedUntil: null }),
        })
        const user = await userQueries.updateUser(tx, id, edit)
        const isMoved = !isSameAddress(email, locked.email)
        // Whoever is only invited gets the invitation at the new address; the old one has no account to be told of.
        if (isMoved && user.invitedUntil && user.clubId !== null)
          await queueInvitationMail(tx, { id, clubId: user.clubId }, now())
        else if (isMoved) await queueOldAddressMail(tx, id, locked.email, now())
        if (passwordHash !== null || isMoved) {
          // Links for the previous address or password must no longer work.
          await deletePasswordResets(tx, id)
          // Ends all sessions, except the current one when users change their own account.
          await deleteSessionsOf(tx, id, isSelf ? caller.tokenHash : null)
        }
        // Last: what ends sessions drops an earlier wish.
        if (waits) await wantNewAddress(tx, caller, input.email, now())
        const what = { clubId: user.clubId, userId: caller.id, subject: 'user' as const, subjectId: id }
        const action = passwordHash === null ? 'edited' : 'password changed'
        const named = ['fullName', 'email', 'language', 'image'] as const
        const { after, isNone } = differences(locked, user, { shown: [], named })
        // A change of the role alone has a row of its own.
        if (passwordHash !== null || !isNone || !place) await logChange(tx, now(), { ...what, action, after })
        if (place) {
          const { teamRole, eventIds } = locked
          await logChange(tx, now(), { ...what, action: 'role changed', before: { teamRole, eventIds }, after: place })
        }
        return { saved: { ...user, ...(generated !== null && { password: generated }) }, fileBefore: locked.image }
      })
      .catch((error: unknown) => {
        // Two edits at the same moment can both find the address free; the unique index lets one pass.
        throw isConflict(error, 'users_email_key') ? emailTaken() : toLastOwner(error)
      })
  if (isSelf && input.confirmEmail && !isSameAddress(input.email, before.email))
    return (image) => limitNewAddresses(deps, { userId: id, email: input.email }, () => save(image))
  const { clubId, invitedUntil } = before
  if (clubId === null || isSelf || isSameAddress(input.email, before.email)) return save
  if (invitedUntil === null) {
    // Also because each change is told to the previous address.
    if (caller.role === 'admin') await limitByClub(deps, clubId)
    return save
  }
  return (image) => limitInvitations(deps, { clubId, email: input.email }, () => save(image))
}

/** The role and events that an edit changes; null for none. Only whoever manages the team changes them, also their own. */
async function newPlace(tx: Tx, before: UserRow, input: UserInput, caller: Caller): Promise<PlaceInTeam | null> {
  if (before.teamRole === null || before.clubId === null) return null
  const kept = { teamRole: before.teamRole, eventIds: before.eventIds }
  const teamRole = input.teamRole ?? kept.teamRole
  const eventIdsBefore = teamRole === 'door' ? kept.eventIds : null
  const place = placeInTeam(teamRole, input.eventIds === undefined ? eventIdsBefore : input.eventIds)
  if (isDeepStrictEqual(place, kept)) return null
  if (before.id === caller.id && !permissionsOf(kept.teamRole).includes('team')) throw new Refusal('NOT_ALLOWED')
  checkFresh(caller)
  await checkEvents(tx, before.clubId, place.eventIds)
  return place
}

/** Refuses with INVALID_INPUT at `currentPassword`, or TOO_MANY_TRIES. */
async function checkOwnPassword(deps: Deps, { id, passwordHash }: UserRow, password: string): Promise<void> {
  await limitTries(deps, [{ rule: 'own password', of: String(id) }])
  if (!(await isPassword(password, passwordHash)))
    throw invalid('currentPassword', password === '' ? texts.currentPasswordNeeded : texts.wrongCurrentPassword)
}

function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function emailTaken(): Refusal {
  const msg = refusalTexts.emailTaken
  return new Refusal('EMAIL_TAKEN', { fields: [{ path: 'payload.email', msg }] })
}

function invalid(field: string, msg: Message): Refusal {
  return new Refusal('INVALID_INPUT', { fields: [{ path: `payload.${field}`, msg }] })
}
