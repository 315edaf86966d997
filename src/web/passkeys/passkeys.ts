import { browserSupportsWebAuthn, startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import { Refusal } from '../../contract/errors.ts'
import { type PasskeyProof, passkeyApi } from '../../contract/passkeys.ts'
import * as texts from '../../texts/generated/passkeyUse.ts'
import type { Message } from '../../texts/language.ts'
import { call, callFull } from '../api/call.ts'

/** Lets the person use one of their passkeys. Refuses with a sentence when none was used. */
export async function provePasskey(): Promise<PasskeyProof> {
  checkSupport()
  const optionsJSON = await call(passkeyApi.startUse, {}, { quiet: true, isTold: true })
  const { id, response } = await startAuthentication({ optionsJSON }).catch(inWords(texts.notUsed))
  const { clientDataJSON, authenticatorData, signature } = response
  return { id, clientDataJSON, authenticatorData, signature }
}

/** Signs in with one of the person's passkeys. Refuses with a sentence when that does not work. */
export async function signInWithPasskey() {
  const passkey = await provePasskey()
  const { payload, token } = await callFull(passkeyApi.signIn, { passkey }, { quiet: true, isTold: true })
  return { user: payload.currentUser, token }
}

/** Makes a passkey and adds it to the person's account; returns their recovery codes when it is their first second factor. */
export async function addPasskey(): Promise<readonly string[] | null> {
  checkSupport()
  const optionsJSON = await call(passkeyApi.startAdding, {}, { quiet: true, isTold: true })
  const { id, response } = await startRegistration({ optionsJSON }).catch(inWords(texts.notMade))
  const { clientDataJSON, attestationObject } = response
  // Not the hook for calls: what is shown is read again once the recovery codes are kept.
  const passkey = { id, clientDataJSON, attestationObject }
  return (await call(passkeyApi.finishAdding, { passkey }, { quiet: true, isTold: true })).recoveryCodes
}

function checkSupport(): void {
  if (!browserSupportsWebAuthn()) throw new Refusal('NOT_ALLOWED', { msg: texts.unsupported })
}

/** Browsers say little about why there is no passkey, so that no page learns what is on the device. */
function inWords(otherwise: Message) {
  return (cause: unknown): never => {
    const code = cause instanceof WebAuthnError ? cause.code : ''
    const msg =
      code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
        ? texts.hasOne
        : code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID'
          ? texts.unsupported
          : otherwise
    throw new Refusal('NOT_ALLOWED', { msg, cause })
  }
}
