import { clubApi } from '../../contract/clubs.ts'
import { eventApi } from '../../contract/events.ts'
import { may } from '../session/may.ts'
import { ask, type Opened } from './ask-ahead.ts'

// Apart from page-data.ts, which loads the calls of all other pages.

export function adminDashboard({ user }: Opened): void {
  const { clubId } = user
  if (clubId === null) return
  ask(clubApi.getClub, { clubId })
  ask(eventApi.getAllEvents, { clubId })
  if (may(user, 'read')) ask(clubApi.getNeeds, { clubId })
}
