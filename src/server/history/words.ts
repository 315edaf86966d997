import * as z from 'zod/mini'
import type { HistoryEntry } from '../../contract/history.ts'
import * as texts from '../../texts/generated/historyWords.ts'
import type { OwnClub } from '../access/own-club.ts'
import { actionOf } from './actions.ts'
import { changesOf, currencyOf } from './changes.ts'
import type { HistoryRow } from './queries.ts'

/** An entry of the history in words, in the current language. */
export function entryOf(row: HistoryRow, club: OwnClub, eventNames: ReadonlyMap<number, string>): HistoryEntry {
  const currency = row.currency ?? club.currency
  const timeZone = row.timeZone ?? club.timeZone
  const { id, at, eventId, eventName, isEventThere } = row
  return {
    id,
    at,
    // Which operator it was is none of a club's business.
    by: byOf(row),
    action: actionOf(row, currencyOf(row.after) ?? currency),
    about: aboutOf(row),
    event: eventId === null ? null : { id: eventId, name: eventName ?? '', isThere: isEventThere },
    registrationId: row.attendee === null ? null : row.subjectId,
    changes: changesOf(row, { currency, timeZone, eventNames }),
  }
}

/** Who did it, and with which API token. */
function byOf({ isByOperator, by, tokenName }: HistoryRow): string {
  const name = isByOperator ? texts.operator() : (by ?? texts.formerMember())
  return tokenName === null ? name : texts.withToken({ name, token: tokenName })
}

const withName = z.object({ name: z.string() })

/** Whom or what it was done to. */
function aboutOf({ subject, subjectId, before, after, attendee, voucher, member }: HistoryRow): string {
  if (subject === 'registration' || subject === 'checkin')
    return attendee ?? texts.formerAttendee({ id: String(subjectId) })
  if (subject === 'user') return member ?? texts.somebodyInvited()
  if (subject !== 'extras') return ''
  return voucher ?? z.safeParse(withName, after).data?.name ?? z.safeParse(withName, before).data?.name ?? ''
}

const withEvents = z.object({ eventIds: z.array(z.number()) })

/** The events that rows name by their ids, as in the limits of a door helper. */
export function eventIdsIn(rows: readonly HistoryRow[]): number[] {
  return rows.flatMap(({ before, after }) =>
    [before, after].flatMap((side) => z.safeParse(withEvents, side).data?.eventIds ?? []),
  )
}
