import { type Extras, extrasApi } from '../../contract/extras.ts'
import * as texts from '../../texts/generated/api.ts'
import { may, worksOn } from '../access/caller.ts'
import { visibleEvent } from '../access/visible-event.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { readVouchersOnSale } from '../records/shared-reads.ts'
import { listExtras } from './queries.ts'
import { removeExtras, saveExtras, sortExtras } from './save-extras.ts'

const none: Extras[] = []

export function extrasRoutes(implement: Implement, deps: Deps): void {
  implement(extrasApi, {
    getExtras: async ({ input, caller }) => {
      const event = await visibleEvent(deps.db, input.eventId, caller)
      const isForStaff = worksOn(caller, event) && may(caller, 'read')
      return {
        payload: isForStaff
          ? await listExtras(deps.db, event)
          : ((await readVouchersOnSale(deps.db, event.id)) ?? none),
      }
    },
    saveExtras: async ({ caller, event, input }) => ({
      payload: await saveExtras(deps, caller, event, input.payload),
      msg: texts.saved,
    }),
    sortExtras: async ({ caller, event, input }) => ({
      payload: await sortExtras(deps, caller, event, input.payload.extrasIds),
    }),
    removeExtras: async ({ caller, event, input }) => ({
      payload: await removeExtras(deps, caller, event, input.extrasId),
      msg: texts.takenOffSale,
    }),
  })
}
