// A date, with or without a time, as people type it and without a zone: `21/06/2030 19:00`.

const TYPED = /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})(?:[,\s]+(\d{1,2})[:.h]?(\d{2}))?$/
const ISO = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})$/

const two = (part: string) => part.padStart(2, '0')

/** A typed date and time as `yyyy-mm-ddTHH:mm`; null when it is none, or not in the calendar. Without a time it is midnight. */
export function parseTypedMoment(text: string): string | null {
  const trimmed = text.trim()
  const [, day = '', month = '', year = '', hour = '0', minute = '0'] = TYPED.exec(trimmed) ?? []
  const local =
    year === '' ? trimmed.replace(' ', 'T') : `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`
  if (!ISO.test(local)) return null
  const moment = new Date(`${local}:00.000Z`)
  // A date such as 31/02 would become another one.
  return Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 16) !== local ? null : local
}

/** `yyyy-mm-ddTHH:mm` as it is typed: `dd/mm/yyyy HH:mm`. Any other text stays as it is. */
export function asTypedMoment(local: string): string {
  return local.replace(ISO, '$3/$2/$1 $4:$5')
}

/** A typed date as `yyyy-mm-dd`; null when it is none, or not in the calendar. A time after it is dropped. */
export function parseTypedDay(text: string): string | null {
  const day = text.trim()
  return parseTypedMoment(/^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T00:00` : day)?.slice(0, 10) ?? null
}

/** `yyyy-mm-dd` as it is typed: `dd/mm/yyyy`. Any other text stays as it is. */
export function asTypedDay(day: string): string {
  return day.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3/$2/$1')
}
