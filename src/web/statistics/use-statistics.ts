import { useQuery } from '@tanstack/react-query'
import { isDecided, type Refusal } from '../../contract/errors.ts'
import { statisticsApi } from '../../contract/statistics.ts'
import { query } from '../api/query.ts'

const LIVE_MS = 5_000

/** Stops polling when the event is gone. */
export const untilFinal = ({ state }: { state: { error: Refusal | null } }) =>
  isDecided(state.error) ? false : LIVE_MS

/** The figures of an event and of one of its days (yyyy-mm-dd), read again while the page is open. */
export function useStatistics(eventId: number, date: string) {
  return useQuery({ ...query(statisticsApi.getStatistics, { eventId, date }), refetchInterval: untilFinal })
}

/** How often the options of an event's questions were chosen. Not polled, because every registration is counted for it. */
export function useAnswerCounts(eventId: number) {
  return useQuery(query(statisticsApi.getAnswerCounts, { eventId }))
}
