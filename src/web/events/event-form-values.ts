import type { Club } from '../../contract/clubs.ts'
import { fromLocalInput, toLocalInput } from '../../contract/dates.ts'
import type { FieldError } from '../../contract/errors.ts'
import { type Event, type EventFields, newEvent } from '../../contract/events.ts'
import { decimalsOf } from '../../contract/money.ts'

/** An event as its form holds it: every field is text, times are in the event's zone. */
export interface EventFormValues {
  name: string
  description: string
  location: string
  startsAt: string
  endsAt: string
  timeZone: string
  maxAttendees: string
  ticketPrice: string
  currency: string
  registrationOpensAt: string
  registrationClosesAt: string
  correctionsUntil: string
}

export function newEventValues({ timeZone, currency }: Pick<Club, 'timeZone' | 'currency'>): EventFormValues {
  const empty = {
    startsAt: '',
    endsAt: '',
    maxAttendees: '',
    ticketPrice: '0',
    registrationOpensAt: '',
    registrationClosesAt: '',
    correctionsUntil: '',
  }
  const { description, location } = newEvent
  return { name: '', description, location, timeZone, currency, ...empty }
}

export function fromEvent(event: Event): EventFormValues {
  const { name, description, location, timeZone, currency } = event
  const local = (moment: Date | null) => (moment ? toLocalInput(moment, timeZone) : '')
  return {
    ...{ name, description, location, timeZone, currency },
    startsAt: local(event.startsAt),
    endsAt: local(event.endsAt),
    maxAttendees: event.maxAttendees === null ? '' : String(event.maxAttendees),
    ticketPrice: String(event.ticketPrice / 10 ** decimalsOf(currency)),
    registrationOpensAt: local(event.registrationOpensAt),
    registrationClosesAt: local(event.registrationClosesAt),
    correctionsUntil: local(event.correctionsUntil),
  }
}

type Read = { fields: Omit<EventFields, 'status'>; wrong: FieldError[] }

/** The fields of the call, and which of the texts could not be read as what they should be. */
export function toFields(values: EventFormValues): Read {
  const wrong: FieldError[] = []
  const { name, description, location, timeZone, currency } = values
  function moment(path: 'startsAt' | 'endsAt' | 'registrationOpensAt' | 'registrationClosesAt' | 'correctionsUntil') {
    const read = fromLocalInput(values[path], timeZone)
    if (!read && (values[path] !== '' || path === 'startsAt' || path === 'endsAt'))
      wrong.push({ path, msg: 'Enter a date and time.' })
    return read
  }
  function number(path: 'maxAttendees' | 'ticketPrice', msg: string) {
    const text = values[path].trim()
    if (text === '') return null
    // “1,000” is a thousand to one and one to another: neither is guessed.
    const isClear = path === 'maxAttendees' ? /^\d+$/.test(text) : /^\d+([.,]\d{1,2})?$|^\d+[.,]\d{4,}$/.test(text)
    if (!isClear) wrong.push({ path, msg })
    return isClear ? Number(text.replace(',', '.')) : null
  }
  const fields = {
    ...{ name, description, location, timeZone, currency },
    startsAt: moment('startsAt') ?? new Date(0),
    endsAt: moment('endsAt') ?? new Date(1),
    maxAttendees: number('maxAttendees', 'Enter a whole number.'),
    ticketPrice: Math.round((number('ticketPrice', 'Enter an amount.') ?? 0) * 10 ** decimalsOf(currency)),
    registrationOpensAt: moment('registrationOpensAt'),
    registrationClosesAt: moment('registrationClosesAt'),
    correctionsUntil: moment('correctionsUntil'),
  }
  return { fields, wrong }
}
