import type { Event } from '../../contract/event.ts'

/** Events as the search lists them: those that are not over, soonest first, then the past ones, latest first. */
export function upcomingFirst<T extends Pick<Event, 'startsAt' | 'endsAt'>>(events: readonly T[], now: Date): T[] {
  const byStart = (a: T, b: T) => a.startsAt.getTime() - b.startsAt.getTime()
  const upcoming = events.filter(({ endsAt }) => endsAt > now).sort(byStart)
  const past = events.filter(({ endsAt }) => endsAt <= now).sort((a, b) => byStart(b, a))
  return [...upcoming, ...past]
}
