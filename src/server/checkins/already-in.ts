import type { Checkin } from '../../contract/checkins.ts'
import { Refusal } from '../../contract/errors.ts'
import { formatTime } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/api.ts'
import type { OwnEvent } from '../access/own-event.ts'

/** The refusal for somebody who is checked in already: when, by whom and on which phone they were let in first. */
export function alreadyIn({ timeZone }: OwnEvent, name: string | null, { checkinTime, ...checkin }: Checkin): Refusal {
  if (!checkinTime) return new Refusal('ALREADY_CHECKED_IN', name === null ? {} : { payload: { name } })
  const { device, checkedInBy: person } = checkin
  const msg = () => {
    const facts = { time: formatTime(checkinTime, timeZone), person: person ?? '' }
    return device === null ? texts.alreadyInBy(facts) : texts.alreadyInByOn({ ...facts, device })
  }
  return new Refusal('ALREADY_CHECKED_IN', {
    ...(person !== null && { msg }),
    payload: { name, checkin: { ...checkin, checkinTime: checkinTime.toISOString() } },
  })
}
