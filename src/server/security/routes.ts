import { Refusal } from '../../contract/errors.ts'
import { securityApi } from '../../contract/security.ts'
import * as texts from '../../texts/generated/api.ts'
import { dropNewAddress, findNewAddress } from '../auth/address-queries.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { listPasskeys } from '../second-factor/passkey-queries.ts'
import { countRecoveryCodes, findFactors } from '../second-factor/queries.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { resetFactor, saveRequirement } from './reset-factor.ts'
import { finishApp, makeRecoveryCodes, removeApp, startApp } from './set-up.ts'

export function securityRoutes(implement: Implement, deps: Deps): void {
  implement(securityApi, {
    confirmIdentity: async ({ caller, input }) => {
      await confirmIdentity(deps, caller, input)
      return { payload: null }
    },
    getFactors: async ({ caller }) => ({
      payload: {
        hasApp: (await findFactors(deps.db, caller.id)).hasApp,
        recoveryCodesLeft: await countRecoveryCodes(deps.db, caller.id),
        passkeys: await listPasskeys(deps.db, caller.id),
      },
    }),
    getNewAddress: async ({ caller }) => ({
      payload: await findNewAddress(deps.db, caller.id, deps.now()),
    }),
    dropNewAddress: async ({ caller }) => {
      await dropNewAddress(deps.db, caller.id)
      return { payload: null, msg: texts.addressStays }
    },
    startApp: async ({ caller }) => ({ payload: await startApp(deps, caller) }),
    finishApp: async ({ caller, input }) => ({
      payload: { recoveryCodes: await finishApp(deps, caller, input.code) },
    }),
    removeApp: async ({ caller }) => {
      const isOn = await removeApp(deps, caller)
      return { payload: null, msg: isOn ? texts.codeAppRemoved : texts.factorRemoved }
    },
    makeRecoveryCodes: async ({ caller }) => ({ payload: { recoveryCodes: await makeRecoveryCodes(deps, caller) } }),
    resetFactor: async ({ caller, club, input }) => {
      if (!club) throw new Refusal('NOT_FOUND')
      await resetFactor(deps, caller, club, input.payload.id)
      return { payload: null, msg: texts.factorRemoved }
    },
    requireFactor: async ({ caller, club, input }) => {
      await saveRequirement(deps, caller, club, input.payload.isRequired)
      return { payload: null, msg: texts.saved }
    },
  })
}
