import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import { id } from './fields.ts'

export const role = z.enum(['sudo', 'admin'])
export type Role = z.output<typeof role>

/** Who is signed in. */
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
})
export type CurrentUser = z.output<typeof currentUser>

export const authApi = api({
  signin: {
    method: 'POST',
    path: '/api/user/signin',
    access: { who: 'visitor' },
    summary: 'Sign in. The token comes back in the header `authorization`.',
    input: z.strictObject({
      email: z.string().check(z.trim(), z.minLength(1, 'Enter your e-mail address.'), z.maxLength(254)),
      password: z.string('Password is required!').check(z.minLength(1, 'Password is required!'), z.maxLength(256)),
    }),
    payload: z.object({ currentUser }),
  },
  signout: {
    method: 'POST',
    path: '/api/user/signout',
    access: { who: 'self' },
    summary: 'End this session on the server.',
    input: z.strictObject({}),
    payload: z.null(),
  },
})
