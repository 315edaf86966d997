import { PASSKEY_ASKED_MS, passkeyApi } from '../../contract/passkeys.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { byNetwork, limitTries } from '../limits/limit-tries.ts'
import { newChallenge, siteOf } from '../second-factor/webauthn.ts'
import { finishAdding, removePasskey, startAdding } from './own-passkeys.ts'
import { signInWithPasskey } from './sign-in.ts'

export function passkeyRoutes(implement: Implement, deps: Deps): void {
  implement(passkeyApi, {
    startUse: async ({ address }) => {
      await limitTries(deps, byNetwork('passkeys used by network', address))
      return {
        payload: {
          rpId: siteOf(deps).rpId,
          challenge: await newChallenge(deps, null),
          timeout: PASSKEY_ASKED_MS,
          userVerification: 'required' as const,
        },
      }
    },
    signIn: async ({ input, address, userAgent }) => {
      const { token, currentUser } = await signInWithPasskey(deps, input.passkey, { address, userAgent })
      return { payload: { currentUser }, token }
    },
    startAdding: async ({ caller }) => ({ payload: await startAdding(deps, caller) }),
    finishAdding: async ({ caller, input, userAgent }) => ({
      payload: { recoveryCodes: await finishAdding(deps, caller, { passkey: input.passkey, userAgent }) },
    }),
    remove: async ({ caller, input }) => {
      await removePasskey(deps, caller, input.payload.id)
      return { payload: null, msg: texts.passkeyRemoved }
    },
  })
}
