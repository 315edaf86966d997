import { dictionary } from '@zxcvbn-ts/language-common'
import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'

const common = new Set(dictionary['passwords-common'])

/** Whether it is on the list of the most common passwords. */
export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase())
}

/** Refuses a password from the list of the most common ones with INVALID_INPUT at `field`; attackers try those first. */
export function checkNewPassword(password: string, field: string): void {
  if (!isCommonPassword(password)) return
  const msg = texts.commonPassword
  throw new Refusal('INVALID_INPUT', { fields: [{ path: field, msg }] })
}
