import * as z from 'zod/mini'
import { checkin, type checkinApi } from '../../contract/checkins.ts'
import { formatTime } from '../../contract/dates.ts'
import type { Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/events.ts'

/** What a scan came to, as the door shows it. */
export interface Verdict {
  kind: 'in' | 'already' | 'refused'
  word: string
  name: string | null
  detail: string
}

const withName = z.object({ name: z.nullish(z.string()), checkin: z.optional(checkin) })

/** The verdict of an answered scan, or of a refused one. */
export function verdictOf(answer: Payload<typeof checkinApi.scanByRegistrationId> | Refusal, event: Event): Verdict {
  if (!(answer instanceof Refusal)) {
    const time = answer.checkin.checkinTime
    const detail = time ? `Checked in at ${formatTime(time, event.timeZone)}` : ''
    return { kind: 'in', word: 'Valid', name: answer.registration.registrationData.name, detail }
  }
  const details = z.safeParse(withName, answer.payload)
  const name = details.data?.name ?? null
  if (answer.code === 'ALREADY_CHECKED_IN') return { kind: 'already', word: 'Already in', name, detail: answer.message }
  const detail = answer.code === 'NOT_FOUND' ? 'No ticket has this code.' : answer.message
  return { kind: 'refused', word: answer.status >= 500 ? 'Not checked' : 'Not valid', name, detail }
}
