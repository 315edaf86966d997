import { walkInApi } from '../../contract/walk-ins.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { confirmWalkInPlaces, giveWalkInPlaces } from './quotas.ts'

export function walkInRoutes(implement: Implement, deps: Deps): void {
  implement(walkInApi, {
    giveWalkInPlaces: async ({ caller, event, input }) => ({
      payload: await giveWalkInPlaces(deps, caller, event, input.payload),
    }),
    confirmWalkInPlaces: async ({ event, input: { payload } }) => ({
      payload: await confirmWalkInPlaces(deps, event, payload.device.id, payload.granted),
    }),
  })
}
