import { clubApi } from '../../contract/clubs.ts'
import { eventApi } from '../../contract/events.ts'
import { ask, type Opened } from './ask-ahead.ts'

// Apart from page-data.ts, which loads the calls of all other pages.

export function adminDashboard({ user: { clubId } }: Opened): void {
  if (clubId === null) return
  ask(clubApi.getClub, { clubId })
  ask(eventApi.getAllEvents, { clubId })
  ask(clubApi.getNeeds, { clubId })
}
