import type { Checkin } from '../../contract/checkins.ts'
import type { CheckinRow } from '../db/schema.ts'
import type { ScanOutcome } from '../db/tables/door.ts'

/** The code of what was done after the end of a helper pass. Only scans sent later have it, so it is no refusal of a call. */
export const PASS_ENDED = 'PASS_ENDED'

/** A check-in as a scan's outcome holds it. */
export function toOutcomeCheckin(checkin: CheckinRow | undefined): ScanOutcome['checkin'] {
  if (!checkin) return null
  const { id, status, checkinTime, checkedInBy, device, isOut, movedAt } = checkin
  const moved = movedAt && { isOut, movedAt: movedAt.toISOString() }
  return { id, status, checkinTime: checkinTime?.toISOString() ?? null, checkedInBy, device, ...moved }
}

/** The check-in in a scan's outcome: the one it made, or the earlier one. */
export function checkinOf({ checkin, registrationId }: ScanOutcome): Checkin | null {
  if (checkin === null || registrationId === null) return null
  const { checkinTime, device, isOut = false, movedAt, ...rest } = checkin
  return {
    ...rest,
    registrationId,
    checkinTime: checkinTime === null ? null : new Date(checkinTime),
    device: device ?? null,
    isOut,
    movedAt: movedAt === undefined ? null : new Date(movedAt),
  }
}
