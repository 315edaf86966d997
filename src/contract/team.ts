import * as z from 'zod/mini'
import * as fieldTexts from '../texts/generated/fields.ts'
import { api } from './endpoint.ts'
import { teamRoles } from './permissions.ts'
import { currentUser } from './sign-in.ts'
import { appUser, eventIds } from './users.ts'
import { newPassword } from './values/account-fields.ts'
import { email, id, requiredLine } from './values/fields.ts'

/** The secret of an invitation's link. */
const token = z.string().check(z.maxLength(100))

/** What somebody fills in to accept an invitation. */
export const acceptFields = z.strictObject({
  fullName: requiredLine(120, fieldTexts.ownNameNeeded),
  password: newPassword,
})

export const teamApi = api({
  invite: {
    method: 'POST',
    path: '/api/team/invite',
    access: { who: 'admin', club: 'payload.clubId', needs: 'team', fresh: true },
    refuses: ['EMAIL_TAKEN'],
    summary: 'Invite somebody to the club’s team by e-mail: the link works once, for seven days.',
    input: z.strictObject({
      payload: z.strictObject({
        clubId: id,
        fullName: requiredLine(120, fieldTexts.nameNeeded),
        email,
        teamRole: z.enum(teamRoles),
        eventIds: z._default(eventIds, null),
      }),
    }),
    payload: appUser,
  },
  inviteAgain: {
    method: 'POST',
    path: '/api/team/inviteAgain',
    access: { who: 'admin', club: 'payload.clubId', needs: 'team', fresh: true },
    summary: 'Send an invitation once more, for seven days from now.',
    input: z.strictObject({ payload: z.strictObject({ clubId: id, id }) }),
    payload: appUser,
  },
  readInvitation: {
    method: 'POST',
    path: '/api/team/readInvitation',
    access: { who: 'visitor' },
    refuses: ['LINK_EXPIRED'],
    summary: 'What the link of an invitation is for. Changes nothing; a POST, so that the secret is in no address.',
    input: z.strictObject({ token }),
    payload: z.object({
      clubName: z.string(),
      fullName: z.string(),
      email: z.string(),
      teamRole: z.enum(teamRoles),
    }),
  },
  declineInvitation: {
    method: 'POST',
    path: '/api/team/declineInvitation',
    access: { who: 'visitor' },
    refuses: ['LINK_EXPIRED'],
    summary: 'Decline an invitation to a club’s team: it is deleted.',
    input: z.strictObject({ token }),
    payload: z.null(),
  },
  acceptInvitation: {
    method: 'POST',
    path: '/api/team/acceptInvitation',
    access: { who: 'visitor' },
    refuses: ['LINK_EXPIRED'],
    summary: 'Join a club’s team with the link of an invitation. The token comes back in the header `authorization`.',
    input: z.strictObject({ ...acceptFields.shape, token }),
    payload: z.object({ currentUser }),
  },
})
