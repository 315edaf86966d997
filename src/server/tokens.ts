import { hash, randomBytes, randomInt } from 'node:crypto'

/** A new session token: 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** How a token, a scanned code, or an address in a limit's key is stored: SHA-256 in hex. */
export function hashOf(text: string): string {
  return hash('sha256', text)
}

// Without letters and digits that look alike when read aloud or from paper.
const alphabet = 'abcdefghjkmnpqrstuvwxyzACDEFGHJKLMNPQRSTUVWXYZ2345679'

/** A password to be handed over once: 14 characters, at least one of them a digit; about 80 bits. */
export function newPassword(): string {
  const letters = Array.from({ length: 14 }, () => alphabet[randomInt(alphabet.length)])
  const password = letters.join('')
  return /\d/.test(password) ? password : newPassword()
}
