import * as paths from '../paths.ts'
import { may } from '../session/may.ts'
import type { SessionUser } from '../session/session.ts'

/** The start page of somebody with a helper pass: the scanner of its event. */
export function homeOfPass(user: Pick<SessionUser, 'permissions' | 'eventIds'>): string {
  const [eventId] = user.eventIds ?? []
  // A pass that has ended allows nothing.
  if (eventId === undefined || !may(user, 'door')) return paths.pass()
  return may(user, 'tickets') ? paths.scanner(eventId) : paths.voucherScanner(eventId)
}
