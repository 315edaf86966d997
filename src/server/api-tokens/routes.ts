import { apiTokenApi } from '../../contract/api-tokens.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { makeToken, ownTokens, revokeToken } from './tokens.ts'

export function apiTokenRoutes(implement: Implement, deps: Deps): void {
  implement(apiTokenApi, {
    getTokens: async ({ caller }) => ({ payload: await ownTokens(deps, caller) }),
    makeToken: async ({ caller, input }) => ({ payload: await makeToken(deps, caller, input.payload) }),
    revokeToken: async ({ caller, input }) => {
      await revokeToken(deps, caller, input.payload.id)
      return { payload: null, msg: texts.tokenRevoked }
    },
  })
}
