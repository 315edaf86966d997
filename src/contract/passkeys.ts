import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import { currentUser } from './sign-in.ts'
import { id, moment } from './values/fields.ts'

// The formats are those of WebAuthn (https://www.w3.org/TR/webauthn-3/), with bytes in base64url.

const bytes = (most: number) => z.string().check(z.regex(/^[\w-]*$/), z.minLength(1), z.maxLength(most))

/** For how long the browser asks, in ms. */
export const PASSKEY_ASKED_MS = 120_000

/** One of one's own passkeys. */
export const ownPasskey = z.object({
  id,
  /** Where it was added; empty where the browser did not tell. */
  browser: z.string(),
  system: z.string(),
  createdAt: moment,
  /** Null: not yet. */
  lastUsedAt: z.nullable(moment),
})
export type OwnPasskey = z.output<typeof ownPasskey>

const publicKeyType = z.literal('public-key')
const required = z.literal('required')

/** What the browser is told to make a passkey. */
const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: publicKeyType, alg: z.int() })),
  timeout: z.int(),
  /** Those that one has: a device makes no second one. */
  excludeCredentials: z.array(z.object({ type: publicKeyType, id: z.string() })),
  authenticatorSelection: z.object({ residentKey: required, userVerification: required }),
})

/** What the browser is told to use one. It names no passkey: the person picks it. */
const requestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.int(),
  userVerification: required,
})

/** A passkey that was just made. */
const newPasskey = z.strictObject({
  id: bytes(1_400),
  clientDataJSON: bytes(4_000),
  attestationObject: bytes(20_000),
})
export type NewPasskey = z.output<typeof newPasskey>

/** What a passkey has signed. */
export const passkeyProof = z.strictObject({
  id: bytes(1_400),
  clientDataJSON: bytes(4_000),
  authenticatorData: bytes(4_000),
  signature: bytes(8_000),
})
export type PasskeyProof = z.output<typeof passkeyProof>

export const passkeyApi = api({
  startUse: {
    method: 'POST',
    path: '/api/passkey/startUse',
    access: { who: 'visitor' },
    summary: 'Begin to use a passkey, to sign in or to prove again who one is: what the browser is to have signed.',
    input: z.strictObject({}),
    payload: requestOptions,
  },
  signIn: {
    method: 'POST',
    path: '/api/passkey/signIn',
    access: { who: 'visitor' },
    refuses: ['WRONG_CREDENTIALS'],
    summary:
      'Sign in with a passkey, which takes neither password nor code. The token comes back in the header `authorization`.',
    input: z.strictObject({ passkey: passkeyProof }),
    payload: z.object({ currentUser }),
  },
  startAdding: {
    method: 'POST',
    path: '/api/passkey/startAdding',
    access: { who: 'self', fresh: true },
    refuses: ['NOT_FOUND'],
    summary: 'Begin to add a passkey: what the browser makes it with.',
    input: z.strictObject({}),
    payload: creationOptions,
  },
  finishAdding: {
    method: 'POST',
    path: '/api/passkey/finishAdding',
    access: { who: 'self' },
    refuses: ['EDIT_CONFLICT'],
    summary:
      'Add the passkey that was made. Whoever had no second factor has one now, and gets ten recovery codes, this once.',
    input: z.strictObject({ passkey: newPasskey }),
    payload: z.object({ recoveryCodes: z.nullable(z.array(z.string())) }),
  },
  remove: {
    method: 'POST',
    path: '/api/passkey/remove',
    access: { who: 'self', fresh: true },
    refuses: ['NOT_FOUND'],
    summary: 'Remove a passkey. Without another one and without an app with codes, the password is enough again.',
    input: z.strictObject({ payload: z.strictObject({ id }) }),
    payload: z.null(),
  },
})
