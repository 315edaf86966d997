import { attendeeApi } from '../../contract/attendees.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { changeMany } from './change-many.ts'
import { changeStatus } from './change-status.ts'
import { listAttendees } from './list.ts'
import { findAttendeeIds } from './queries.ts'
import { removeRegistration } from './remove.ts'
import { saveRegistration } from './save.ts'
import { sendTicket } from './send-ticket.ts'
import { attendeeSheet } from './sheet.ts'
import { timelineOf } from './timeline.ts'

export function attendeeRoutes(implement: Implement, deps: Deps): void {
  implement(attendeeApi, {
    getAttendeeIds: async ({ event, input: { eventId: _, ...filters } }) => ({
      payload: await findAttendeeIds(deps.db, event, filters),
    }),
    save: async ({ caller, event, input }) => ({
      payload: await saveRegistration(deps, caller, event, input.payload),
      msg: input.payload.id === undefined ? texts.added : texts.saved,
    }),
    updateStatus: async ({ caller, event, input }) => ({
      payload: await changeStatus(deps, caller, event, input.payload),
      msg: texts.saved,
    }),
    changeMany: async ({ caller, event, input }) => ({ payload: await changeMany(deps, caller, event, input.payload) }),
    getAttendees: async ({ caller, event, input }) => ({ payload: await listAttendees(deps, caller, event, input) }),
    downloadAttendees: async ({
      event,
      input: { eventId: _, registrationIds = null, searchKeyword = '', ...rest },
      language,
    }) => ({
      payload: null,
      file: await attendeeSheet(deps, event, { filters: { searchKeyword, ...rest }, ids: registrationIds }, language()),
    }),
    getTimeline: async ({ event, input, language }) => ({
      payload: await timelineOf(deps, event, input.registrationId, language()),
    }),
    sendTicket: async ({ caller, event, input }) => {
      await sendTicket(deps, caller, event, input.registrationId)
      return { payload: null, msg: texts.ticketSent }
    },
    removeRegistration: async ({ caller, event, input }) => ({
      payload: await removeRegistration(deps, caller, event, input.registrationId),
      msg: texts.removed,
    }),
  })
}
