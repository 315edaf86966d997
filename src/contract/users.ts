import * as z from 'zod/mini'
import * as fieldTexts from '../texts/generated/fields.ts'
import { api } from './endpoint.ts'
import { teamRoles } from './permissions.ts'
import { role } from './sign-in.ts'
import { language, newPassword } from './values/account-fields.ts'
import { email, id, idText, moment, requiredLine, version } from './values/fields.ts'

/** The events that somebody at the door is limited to; null for all of the club's. */
export const eventIds = z.nullable(z.array(id).check(z.minLength(1), z.maxLength(200)))

/** Somebody in a club's team. Never a password or hash. */
export const appUser = z.object({
  id,
  fullName: z.string(),
  email: z.string(),
  role,
  /** File name of the photo; empty for the default image. */
  image: z.string(),
  clubId: z.nullable(id),
  /** The language that they chose; null: none yet. */
  language: z._default(z.nullable(z.string()), null),
  createdAt: moment,
  version,
  /** The role in the club's team; null for the operator. */
  teamRole: z._default(z.nullable(z.enum(teamRoles)), null),
  /** The only events that they may work on; null: all of the club's. */
  eventIds: z._default(z.nullable(z.array(id)), null),
  /** Until when the invitation can be accepted; null for somebody who has joined. */
  invitedUntil: z._default(z.nullable(moment), null),
})
export type AppUser = z.output<typeof appUser>

/** The same with how the invitation is doing. */
const member = z.object({
  ...appUser.shape,
  /** Whether the latest invitation could not be delivered. */
  isUndelivered: z._default(z.boolean(), false),
  /** Whether signing in takes a second factor. */
  hasSecondFactor: z._default(z.boolean(), false),
})
export type Member = z.output<typeof member>

export const appUserApi = api({
  save: {
    method: 'POST',
    path: '/api/appUser/save',
    access: { who: 'self', fresh: 'some' },
    refuses: ['NOT_FOUND', 'EDIT_CONFLICT', 'EMAIL_TAKEN', 'LAST_OWNER', 'SET_UP_SECOND_FACTOR'],
    upload: { file: 'image', json: 'payload' },
    summary:
      'Add somebody to a club’s team, edit one, or edit oneself. All but one’s own profile needs a fresh sign-in. A generated password is answered this once.',
    input: z.strictObject({
      payload: z.strictObject({
        id: z.optional(id),
        fullName: requiredLine(120, fieldTexts.nameNeeded),
        email,
        /** The club of a new admin; of an existing one it cannot change. */
        clubId: z.nullable(id),
        /** For a new one `admin`; of an existing one it cannot change. */
        role: z.optional(role),
        /** The role in the club's team; for a new one `owner` if left out. Changing it needs the permission `team`. */
        teamRole: z.optional(z.nullable(z.enum(teamRoles))),
        /** The only events for somebody at the door; null for all. Refused for other roles, which work on all events. */
        eventIds: z.optional(eventIds),
        /** The language of the pages and mails they get; left out, it stays. */
        language: z.optional(language),
        /** A new password; changing one's own, or one's own e-mail address, needs `currentPassword`. */
        password: z.optional(newPassword),
        currentPassword: z.optional(z.string().check(z.maxLength(256))),
        /** One’s own changed address counts only once the link that is mailed to it is opened; the answer has the former one until then. */
        confirmEmail: z.optional(z.boolean()),
        /** Asks for a newly generated password. */
        resetPassword: z.optional(z.boolean()),
        /** Removes the photo. */
        removeImage: z.optional(z.boolean()),
        /** With it, an edit is refused when somebody else saved in between. */
        version: z.optional(version),
      }),
    }),
    payload: z.extend(appUser, { password: z.optional(z.string()) }),
    /** As a row of `getAppUsers`, or as the current user. */
    sentBack: {
      payload: z.extend(member, {
        clubName: z.nullable(z.string()),
        permissions: z.array(z.string()),
        isPass: z.boolean(),
        mustSetUp: z.boolean(),
      }),
    },
  },
  makePasswordLink: {
    method: 'POST',
    path: '/api/appUser/makePasswordLink',
    access: { who: 'sudo', fresh: true },
    refuses: ['NOT_FOUND'],
    summary: 'A link with which a club’s admin chooses a password, to be passed on: it works once, for three days.',
    input: z.strictObject({ payload: z.strictObject({ id }) }),
    payload: z.object({ url: z.string(), expiresAt: moment }),
  },
  removeAppUser: {
    method: 'GET',
    path: '/api/appUser/removeAppUser',
    access: { who: 'sudo-or-admin', club: 'clubId', needs: 'team', fresh: true },
    refuses: ['EDIT_CONFLICT', 'LAST_OWNER'],
    changes: true,
    summary:
      'Remove somebody from the team, or an invitation; their sessions end. Nobody removes themselves, and an owner stays.',
    /** With `version`, the removal is refused when they were edited, or joined, in between. */
    input: z.strictObject({ appUserId: idText, clubId: idText, version: z.optional(idText) }),
    payload: appUser,
  },
  getAppUsers: {
    method: 'GET',
    path: '/api/appUser/getAppUsers',
    access: { who: 'sudo-or-admin', club: 'clubId', needs: 'team' },
    summary: "A club's team, with those who are invited.",
    input: z.strictObject({ clubId: idText }),
    payload: z.object({
      admins: z.array(member),
      /** Whether the club requires a second factor of everybody. */
      needsSecondFactor: z._default(z.boolean(), false),
    }),
  },
})
