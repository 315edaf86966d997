import { useNavigate } from 'react-router'
import type { Event } from '../../../contract/event.ts'
import { eventApi } from '../../../contract/events.ts'
import { useCall } from '../../api/query.ts'
import * as paths from '../../paths.ts'
import { inComingWeek } from './in-coming-week.ts'

/** Copies an event to the same day and time of a coming week, and opens the copy's settings, where its date is chosen. */
export function useCopyEvent() {
  const copy = useCall(eventApi.copy)
  const navigate = useNavigate()
  const start = (event: Event, now: Date) => {
    if (copy.isPending) return
    copy.mutate(
      { payload: { eventId: event.id, startsAt: inComingWeek(event, now) } },
      { onSuccess: (copied) => void navigate(paths.editEvent(copied.id)) },
    )
  }
  return { copyEvent: start, isPending: copy.isPending }
}
