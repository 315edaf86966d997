import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { hashOf } from '../tokens.ts'

/** Seconds for which a code is shown; what every app assumes. */
const PERIOD = 30
const RECOVERY_CODES = 10

/** A new secret for an app with codes: 160 random bits, in base32. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32
}

interface App {
  /** The site, as the app lists it. */
  issuer: string
  /** Whose account it is. */
  label: string
  secret: string
}

/** The address that an app reads from a QR code. */
export function appUrl({ issuer, label, secret }: App): string {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: PERIOD }).toString()
}

/** The time step of a code of this app; null for a wrong one. The step before and the one after count too, for clocks that differ. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, window: 1, timestamp })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

/** A code as it was typed, without what people put between its characters. */
export function plainCode(typed: string): string {
  return typed.replace(/[\s-]/g, '').toLowerCase()
}

/** Whether it looks like a code of an app, not like a recovery code. */
export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(code)
}

// Without characters that look alike.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Ten recovery codes like `7kwm-a2xq-pe9t`: about 59 bits each. */
export function newRecoveryCodes(): string[] {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: RECOVERY_CODES }, () => [group(), group(), group()].join('-'))
}

/** How a recovery code is stored. Random enough that a fast hash does. */
export function hashOfRecoveryCode(code: string): string {
  return hashOf(`recovery ${plainCode(code)}`)
}
