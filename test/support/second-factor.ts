import { Secret, TOTP } from 'otpauth'
import { securityApi } from '../../src/contract/security.ts'
import type { TestApp } from './start-app.ts'

/** The code that an app shows so many half minutes from now. */
export function codeOf(app: TestApp, secret: string, steps = 0): string {
  const timestamp = app.clock.now.getTime() + steps * 30_000
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** Sets up an app with codes, a minute before the clock's new time; returns its secret and the recovery codes, none if it is not the first factor. */
export async function setUpFactor(app: TestApp, token: string) {
  const { secret, url } = await app.call(securityApi.startApp, {}, token)
  const { recoveryCodes } = await app.call(securityApi.finishApp, { code: codeOf(app, secret) }, token)
  app.clock.now = new Date(app.clock.now.getTime() + 60_000)
  return { secret, url, recoveryCodes: recoveryCodes ?? [] }
}
