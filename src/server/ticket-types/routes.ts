import { ticketTypeApi } from '../../contract/ticket-types.ts'
import * as texts from '../../texts/generated/api.ts'
import { may, worksOn } from '../access/caller.ts'
import { visibleEvent } from '../access/visible-event.ts'
import { typesWith } from '../codes/types-with.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { countGuesses } from '../limits/guesses.ts'
import { readTicketTypes } from '../records/ticket-type-queries.ts'
import { saveTicketTypes } from './save-ticket-types.ts'

export function ticketTypeRoutes(implement: Implement, deps: Deps): void {
  implement(ticketTypeApi, {
    getTicketTypes: async ({ input, caller, address }) => {
      const event = await visibleEvent(deps.db, input.eventId, caller)
      const types = (await readTicketTypes(deps.db, event.id)) ?? []
      const code = input.code === '' ? undefined : input.code
      // Also whoever adds people at the door.
      const isForStaff =
        code === undefined && worksOn(caller, event) && (may(caller, 'read') || may(caller, 'walk-ins'))
      return {
        payload: isForStaff
          ? types.map((type) => ({ ...type, codePrice: null }))
          : await countGuesses(deps, { eventId: event.id, address: code === undefined ? null : address }, () =>
              typesWith(deps, event, types, code),
            ),
      }
    },
    saveTicketTypes: async ({ caller, event, input }) => ({
      payload: await saveTicketTypes(deps, caller, event, input.payload),
      msg: texts.saved,
    }),
  })
}
