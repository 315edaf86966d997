import { dictionary } from '@zxcvbn-ts/language-common'
import { Refusal } from '../../contract/errors.ts'

const common = new Set(dictionary['passwords-common'])

/** Refuses with INVALID_INPUT at `field` a password from the list of those that people use most; guessers start there. */
export function checkNewPassword(password: string, field: string): void {
  if (!common.has(password.toLowerCase())) return
  const msg = 'Too many people use this password. Please choose another one.'
  throw new Refusal('INVALID_INPUT', { fields: [{ path: field, msg }] })
}
