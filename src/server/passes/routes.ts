import { passApi } from '../../contract/passes.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { openPass, readPass } from './open-pass.ts'
import { makePass, passesOf, renewPass, revokePass } from './passes.ts'

export function passRoutes(implement: Implement, deps: Deps): void {
  implement(passApi, {
    getPasses: async ({ event }) => ({ payload: await passesOf(deps.db, event, deps.now()) }),
    makePass: async ({ caller, event, input }) => ({ payload: await makePass(deps, caller, event, input.payload) }),
    renewPass: async ({ caller, event, input }) => ({
      payload: await renewPass(deps, caller, event, input.payload.id),
    }),
    revokePass: async ({ caller, event, input }) => ({
      payload: await revokePass(deps, caller, event, input.payload.id),
      msg: texts.passRevoked,
    }),
    readPass: async ({ input, address }) => ({ payload: await readPass(deps, input.token, address) }),
    openPass: async ({ input, address, userAgent }) => {
      const { token, currentUser, eventId } = await openPass(deps, input, { address, userAgent })
      return { payload: { currentUser, eventId }, token }
    },
  })
}
