import * as z from 'zod/mini'
import * as fieldTexts from '../texts/generated/accountFields.ts'
import { api } from './endpoint.ts'
import { permissions, teamRoles } from './permissions.ts'
import { id, requiredLine } from './values/fields.ts'

export const role = z.enum(['sudo', 'admin'])

/** What somebody with a second factor can prove it with, besides a recovery code. */
export const ownFactors = z.object({ hasApp: z.boolean(), hasPasskey: z.boolean() })

/** A code of the app, or a recovery code, as somebody types it. */
export const code = z.string().check(z.maxLength(40))

/** The signed-in user. */
export const currentUser = z.object({
  id,
  role,
  fullName: z.string(),
  email: z.string(),
  /** File name of the photo; empty for the default image. */
  image: z.string(),
  /** The club an admin works for; null for the operator. */
  clubId: z.nullable(id),
  clubName: z.nullable(z.string()),
  /** The language that they chose; null: none yet. Sessions that a browser stored earlier lack it. */
  language: z._default(z.nullable(z.string()), null),
  /** The role in the club's team; null for the operator. Sessions that a browser stored earlier lack it, and the next two. */
  teamRole: z._default(z.nullable(z.enum(teamRoles)), null),
  /** What they may do for their club (`permissions.ts`). Before there were roles, everybody could do everything. */
  permissions: z._default(z.array(z.string()), [...permissions]),
  /** The only events that they may work on; null: all of the club's. */
  eventIds: z._default(z.nullable(z.array(id)), null),
  /** Whether it is a helper pass, which opens only the scanner of its event. */
  isPass: z._default(z.boolean(), false),
  /** Whether they must set up a second factor before they may do anything else. */
  mustSetUp: z._default(z.boolean(), false),
})
export type CurrentUser = z.output<typeof currentUser>

/** Signing in, for its page, which loads no other call. The others of this kind are in `auth.ts`. */
export const signInApi = api({
  signin: {
    method: 'POST',
    path: '/api/user/signin',
    access: { who: 'visitor' },
    refuses: ['WRONG_CREDENTIALS', 'SECOND_FACTOR_NEEDED'],
    summary:
      'Sign in. Whoever has a second factor is asked for its `code` with SECOND_FACTOR_NEEDED. The token comes back in the header `authorization`.',
    input: z.strictObject({
      email: requiredLine(254, fieldTexts.ownEmailNeeded),
      password: z
        .string({ error: fieldTexts.passwordNeeded })
        .check(z.minLength(1, { error: fieldTexts.passwordNeeded }), z.maxLength(256)),
      /** Of the app with codes, or a recovery code. */
      code: z.optional(code),
    }),
    payload: z.object({ currentUser }),
  },
})
