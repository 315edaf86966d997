import * as z from 'zod/mini'

/** The header in which the solution of a challenge is sent back, as JSON in base64. */
export const PROOF_HEADER = 'x-proof'

/** A proof of work to do, in the format of ALTCHA: find the counter whose derived key starts with `keyPrefix`. */
export const challenge = z.object({
  parameters: z.object({
    algorithm: z.literal('SHA-256'),
    nonce: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    salt: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    /** How many rounds of hashing each try takes. */
    cost: z.int().check(z.minimum(1), z.maximum(1000)),
    keyLength: z.literal(32),
    keyPrefix: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    /** Until when, in ms since 1970, from which network, and for how many people the server accepts the solution. */
    data: z.object({ until: z.int(), network: z.string(), people: z._default(z.int(), 1) }),
  }),
  signature: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
})
export type Challenge = z.output<typeof challenge>

/** The payload of a refusal with PROOF_NEEDED. */
export const proofNeeded = z.object({ challenge })

/** A solved challenge. */
export const proof = z.object({
  challenge,
  solution: z.object({
    counter: z.int().check(z.minimum(0)),
    derivedKey: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  }),
})
export type Proof = z.output<typeof proof>
