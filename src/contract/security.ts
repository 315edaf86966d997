import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import { ownPasskey, passkeyProof } from './passkeys.ts'
import { code } from './sign-in.ts'
import { id } from './values/fields.ts'

/** For how many minutes a sign-in is fresh. */
export const FRESH_MINUTES = 15

/** Shown this once. */
const recoveryCodes = z.array(z.string())

/** How somebody proves again who they are: those with a second factor with a code or a passkey, the others with their password. */
export const askedProof = z.object({
  by: z.enum(['password', 'code']),
  /** Whether they have a passkey, which proves it too. */
  hasPasskey: z._default(z.boolean(), false),
})

export const securityApi = api({
  confirmIdentity: {
    method: 'POST',
    path: '/api/security/confirmIdentity',
    access: { who: 'self' },
    summary:
      'Prove again who one is, which makes the sign-in fresh: with a code or a passkey for those with a second factor, with the password for others.',
    input: z.strictObject({
      password: z.optional(z.string().check(z.maxLength(256))),
      code: z.optional(code),
      passkey: z.optional(passkeyProof),
    }),
    payload: z.null(),
  },
  getFactors: {
    method: 'GET',
    path: '/api/security/getFactors',
    access: { who: 'self' },
    summary: 'One’s own second factor.',
    input: z.strictObject({}),
    payload: z.object({
      /** Whether an app with codes is set up. */
      hasApp: z.boolean(),
      recoveryCodesLeft: z.int(),
      passkeys: z._default(z.array(ownPasskey), []),
    }),
  },
  getNewAddress: {
    method: 'GET',
    path: '/api/security/getNewAddress',
    access: { who: 'self' },
    summary: 'The address that one wants to sign in with and has yet to confirm.',
    input: z.strictObject({}),
    payload: z.object({
      /** Null when there is none. */
      email: z.nullable(z.string()),
      /** Whether the mail with the link could not be delivered to it. */
      isUndeliverable: z.boolean(),
    }),
  },
  dropNewAddress: {
    method: 'POST',
    path: '/api/security/dropNewAddress',
    access: { who: 'self' },
    summary: 'Keep the present address: the link that was mailed to the new one stops working.',
    input: z.strictObject({}),
    payload: z.null(),
  },
  startApp: {
    method: 'POST',
    path: '/api/security/startApp',
    access: { who: 'self', fresh: true },
    refuses: ['NOT_FOUND', 'EDIT_CONFLICT'],
    summary: 'Begin to set up an app with codes. It counts once `finishApp` got its first code.',
    input: z.strictObject({}),
    payload: z.object({
      /** To be typed, in base32. */
      secret: z.string(),
      /** The same as an address of the kind `otpauth:`, for a QR code. */
      url: z.string(),
    }),
  },
  finishApp: {
    method: 'POST',
    path: '/api/security/finishApp',
    access: { who: 'self' },
    refuses: ['EDIT_CONFLICT'],
    summary:
      'Finish setting up an app with its first code. Whoever had no second factor gets ten recovery codes, this once; null for others.',
    input: z.strictObject({ code }),
    payload: z.object({ recoveryCodes: z.nullable(recoveryCodes) }),
  },
  removeApp: {
    method: 'POST',
    path: '/api/security/removeApp',
    access: { who: 'self', fresh: true },
    summary:
      'Remove the app with codes. Without a passkey, the password is enough again, and the recovery codes are deleted.',
    input: z.strictObject({}),
    payload: z.null(),
  },
  makeRecoveryCodes: {
    method: 'POST',
    path: '/api/security/makeRecoveryCodes',
    access: { who: 'self', fresh: true },
    summary: 'Ten new recovery codes, this once; the previous ones stop working.',
    input: z.strictObject({}),
    payload: z.object({ recoveryCodes }),
  },
  resetFactor: {
    method: 'POST',
    path: '/api/security/resetFactor',
    access: { who: 'sudo-or-admin', club: 'payload.clubId', needs: 'team', fresh: true },
    summary: 'Remove the second factor of somebody in the team who has lost it. They are told by e-mail.',
    input: z.strictObject({ payload: z.strictObject({ clubId: id, id }) }),
    payload: z.null(),
  },
  requireFactor: {
    method: 'POST',
    path: '/api/security/requireFactor',
    access: { who: 'admin', club: 'payload.clubId', needs: 'team', fresh: true },
    summary: 'Whether everybody in the club’s team needs a second factor. Whoever has none may only set one up then.',
    input: z.strictObject({ payload: z.strictObject({ clubId: id, isRequired: z.boolean() }) }),
    payload: z.null(),
  },
})
