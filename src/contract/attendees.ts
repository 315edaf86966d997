import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import { attendeeFilters } from './registrations.ts'
import { id } from './values/fields.ts'

/** Calls on attendees that visitors' pages need not load. */
export const attendeeApi = api({
  getAttendeeIds: {
    method: 'GET',
    path: '/api/registration/getAttendeeIds',
    access: { who: 'admin', event: 'eventId' },
    summary: 'The ids of all attendees that the filters find, for doing something to all of them.',
    input: attendeeFilters,
    payload: z.array(id),
  },
})
