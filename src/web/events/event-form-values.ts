import type { Club } from '../../contract/club.ts'
import type { FieldError } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import { type EventFields, newEvent } from '../../contract/events.ts'
import { fromLocalInput, toLocalInput } from '../../contract/values/dates.ts'
import { editableAmount, minorUnits } from '../../contract/values/typed-amounts.ts'
import { asTypedMoment, parseTypedMoment } from '../../contract/values/typed-moments.ts'
import * as texts from '../../texts/generated/eventInput.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'

/** An event as its form holds it: every field is text, times are in the event's zone. */
export interface EventFormValues {
  name: string
  description: string
  location: string
  startsAt: string
  endsAt: string
  timeZone: string
  maxAttendees: string
  maxPerEmail: string
  ticketPrice: string
  currency: string
  registrationOpensAt: string
  registrationClosesAt: string
  correctionsUntil: string
  allowsHandOn: boolean
  allowsReentry: boolean
  keepDays: string
}

export function newEventValues({ timeZone, currency }: Pick<Club, 'timeZone' | 'currency'>): EventFormValues {
  const empty = {
    startsAt: '',
    endsAt: '',
    maxAttendees: '',
    maxPerEmail: String(newEvent.maxPerEmail),
    ticketPrice: '0',
    registrationOpensAt: '',
    registrationClosesAt: '',
    correctionsUntil: '',
    allowsHandOn: newEvent.allowsHandOn,
    allowsReentry: newEvent.allowsReentry,
    keepDays: '',
  }
  const { description, location } = newEvent
  return { name: '', description, location, timeZone, currency, ...empty }
}

export function fromEvent(event: Event): EventFormValues {
  const { name, description, location, timeZone, currency } = event
  const local = (moment: Date | null) => (moment ? asTypedMoment(toLocalInput(moment, timeZone)) : '')
  return {
    ...{ name, description, location, timeZone, currency },
    startsAt: local(event.startsAt),
    endsAt: local(event.endsAt),
    maxAttendees: event.maxAttendees === null ? '' : String(event.maxAttendees),
    maxPerEmail: String(event.maxPerEmail),
    ticketPrice: editableAmount(event.ticketPrice, currency),
    registrationOpensAt: local(event.registrationOpensAt),
    registrationClosesAt: local(event.registrationClosesAt),
    correctionsUntil: local(event.correctionsUntil),
    allowsHandOn: event.allowsHandOn,
    allowsReentry: event.allowsReentry,
    keepDays: event.keepDays === null ? '' : String(event.keepDays),
  }
}

type Read = { fields: Omit<EventFields, 'status'>; errors: FieldError[] }

/** The fields of the call, and errors for the texts that could not be parsed. */
export function toFields(values: EventFormValues): Read {
  const errors: FieldError[] = []
  const { name, description, location, timeZone, currency } = values
  function moment(path: 'startsAt' | 'endsAt' | 'registrationOpensAt' | 'registrationClosesAt' | 'correctionsUntil') {
    const read = fromLocalInput(parseTypedMoment(values[path]) ?? '', timeZone)
    if (!read && (values[path].trim() !== '' || path === 'startsAt' || path === 'endsAt'))
      errors.push({ path, msg: texts.momentLike })
    return read
  }
  function count(path: 'maxAttendees' | 'maxPerEmail' | 'keepDays') {
    const text = values[path].trim()
    if (text === '') return null
    const isClear = /^\d+$/.test(text)
    if (!isClear) errors.push({ path, msg: fieldTexts.wholeNumber })
    return isClear ? Number(text) : null
  }
  function price() {
    const amount = values.ticketPrice.trim() === '' ? 0 : minorUnits(values.ticketPrice, currency)
    if (amount === null) errors.push({ path: 'ticketPrice', msg: fieldTexts.amountNeeded })
    return amount ?? 0
  }
  const fields = {
    ...{ name, description, location, timeZone, currency },
    startsAt: moment('startsAt') ?? new Date(0),
    endsAt: moment('endsAt') ?? new Date(1),
    maxAttendees: count('maxAttendees'),
    maxPerEmail: count('maxPerEmail') ?? newEvent.maxPerEmail,
    ticketPrice: price(),
    registrationOpensAt: moment('registrationOpensAt'),
    registrationClosesAt: moment('registrationClosesAt'),
    correctionsUntil: moment('correctionsUntil'),
    allowsHandOn: values.allowsHandOn,
    allowsReentry: values.allowsReentry,
    keepDays: count('keepDays'),
  }
  return { fields, errors }
}

const HOURS_3 = 3 * 60 * 60_000

/** The end that follows a changed start: as long after it as before, or three hours. All as typed; null when there is nothing to change. */
export function endAfter(before: Pick<EventFormValues, 'startsAt' | 'endsAt'>, startsAt: string): string | null {
  const onClock = (text: string) => {
    const local = parseTypedMoment(text)
    return local === null ? null : Date.parse(`${local}:00.000Z`)
  }
  const start = onClock(startsAt)
  if (start === null) return null
  const [startBefore, endBefore] = [onClock(before.startsAt), onClock(before.endsAt)]
  if (endBefore === null ? before.endsAt.trim() !== '' : startBefore === null && endBefore > start) return null
  const lasts =
    startBefore !== null && endBefore !== null && endBefore > startBefore ? endBefore - startBefore : HOURS_3
  return asTypedMoment(new Date(start + lasts).toISOString().slice(0, 16))
}
