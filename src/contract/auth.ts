import * as z from 'zod/mini'
import * as fieldTexts from '../texts/generated/fields.ts'
import { api } from './endpoint.ts'
import { currentUser, signInApi } from './sign-in.ts'
import { currency, newPassword, timeZone } from './values/account-fields.ts'
import { email, id, line, moment, requiredLine } from './values/fields.ts'

/** What a person types to sign their club up. */
export const typedSignUpFields = z.strictObject({
  fullName: requiredLine(120, fieldTexts.ownNameNeeded),
  email,
  password: newPassword,
  /** Left out, the club is named after the person. */
  clubName: z.optional(requiredLine(120, fieldTexts.clubNameNeeded)),
  clubLocation: z.optional(line(200)),
})

/** The fields with which a club signs itself up. */
const signUpFields = z.strictObject({
  ...typedSignUpFields.shape,
  /** From the browser: the default for the club's events. */
  timeZone: z.optional(timeZone),
  currency: z.optional(currency),
})

/** One of one's own sessions. */
const ownSession = z.object({
  id,
  /** Such as `Chrome`; empty when unknown. */
  browser: z.string(),
  /** Such as `Android`; empty when unknown. */
  system: z.string(),
  /** The network address from which it was opened; empty when unknown. */
  address: z.string(),
  createdAt: moment,
  /** When it was used last, to the hour. */
  lastUsedAt: moment,
  /** Whether it is the one that asks. */
  isCurrent: z.boolean(),
})
export type OwnSession = z.output<typeof ownSession>

export const authApi = api({
  ...signInApi,
  register: {
    method: 'POST',
    path: '/api/user/register',
    access: { who: 'visitor' },
    refuses: ['SIGNUP_CLOSED', 'EMAIL_TAKEN'],
    summary:
      'A club signs itself up: the club and its first admin. The token comes back in the header `authorization`.',
    input: signUpFields,
    payload: z.object({ currentUser }),
  },
  forgotPassword: {
    method: 'POST',
    path: '/api/user/forgotPassword',
    access: { who: 'visitor' },
    summary:
      'Mails a link for a new password to the address, if somebody signs in with it. The answer is the same if not.',
    input: z.strictObject({ email }),
    payload: z.null(),
  },
  resetPassword: {
    method: 'POST',
    path: '/api/user/resetPassword',
    access: { who: 'visitor' },
    refuses: ['LINK_EXPIRED'],
    summary: 'Sets a new password by a link, once and while it is valid, and ends all sessions.',
    input: z.strictObject({ token: z.string().check(z.maxLength(100)), password: newPassword }),
    payload: z.null(),
  },
  confirmAddress: {
    method: 'POST',
    path: '/api/user/confirmAddress',
    access: { who: 'visitor' },
    refuses: ['LINK_EXPIRED', 'EMAIL_TAKEN'],
    summary: 'Makes a new address count by the link that was mailed to it, once and while it is valid.',
    input: z.strictObject({ token: z.string().check(z.maxLength(100)) }),
    payload: z.null(),
  },
  getCurrentUser: {
    method: 'GET',
    path: '/api/user/getCurrentUser',
    access: { who: 'self', pass: true, token: true },
    summary: 'Who is signed in.',
    input: z.strictObject({}),
    payload: currentUser,
  },
  getSessions: {
    method: 'GET',
    path: '/api/user/getSessions',
    access: { who: 'self' },
    summary: 'Where one is signed in: the hundred sessions used last, the latest first.',
    input: z.strictObject({}),
    payload: z.array(ownSession),
  },
  endSession: {
    method: 'POST',
    path: '/api/user/endSession',
    access: { who: 'self' },
    refuses: ['NOT_FOUND'],
    summary: 'End one of one’s own sessions.',
    input: z.strictObject({ payload: z.strictObject({ id }) }),
    payload: z.null(),
  },
  endOtherSessions: {
    method: 'POST',
    path: '/api/user/endOtherSessions',
    access: { who: 'self' },
    summary: 'End all of one’s own sessions but this one.',
    input: z.strictObject({}),
    payload: z.null(),
  },
  signout: {
    method: 'POST',
    path: '/api/user/signout',
    access: { who: 'self', pass: true },
    summary: 'End this session on the server.',
    input: z.strictObject({}),
    payload: z.null(),
  },
})
