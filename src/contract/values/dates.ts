import * as texts from '../../texts/generated/dates.ts'
import { currentLanguage } from '../../texts/language.ts'
import { localeOf } from '../../texts/numbers.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** A format made once for each locale and zone: making one takes longer than a hundred uses. */
function formatOf(name: string, timeZone: string, options: Intl.DateTimeFormatOptions, locale = NUMERIC) {
  const key = `${locale} ${name} ${timeZone}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(locale, { timeZone, ...options })
  formats.set(key, format)
  return format
}

/** Dates and times are written in digits alike in every language: dd/mm/yyyy and HH:mm, as the specification shows them. */
const NUMERIC = 'en-GB'
/** Names of days, months and zones are those of the language. */
const localeOfNames = () => localeOf(currentLanguage())

/** dd/mm/yyyy in the given zone. */
export function formatDate(date: Date, timeZone: string): string {
  return formatOf('date', timeZone, { day: '2-digit', month: '2-digit', year: 'numeric' }).format(date)
}

/** HH:mm in the given zone. */
export function formatTime(date: Date, timeZone: string): string {
  return formatOf('time', timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(date)
}

/** The weekday's name in the given zone. */
export function formatWeekday(date: Date, timeZone: string, weekday: 'long' | 'short' = 'long'): string {
  const name = formatOf(`weekday-${weekday}`, timeZone, { weekday }, localeOfNames()).format(date)
  // Beside digits, a short name needs no full stop.
  return name.replace(/\.$/, '')
}

/** The zone's short name at that moment, such as `CET` or `GMT+1`. */
function formatZone(date: Date, timeZone: string): string {
  const parts = formatOf('zone', timeZone, { timeZoneName: 'short' }, localeOfNames()).formatToParts(date)
  return parts.find(({ type }) => type === 'timeZoneName')?.value.replace(/\+0$/, '') ?? timeZone
}

/** Up to this hour the end of an evening belongs to the day on which it began. */
const NIGHT_ENDS = '06:00'

/** Whether an end is on the day of the start, or in the night after it, so that its date need not be named. */
function isSameEvening(startsAt: Date, endsAt: Date, timeZone: string): boolean {
  if (formatDate(startsAt, timeZone) === formatDate(endsAt, timeZone)) return true
  const isNextDay = endsAt.getTime() - startsAt.getTime() < DAY_MS
  return isNextDay && formatTime(endsAt, timeZone) <= NIGHT_ENDS && formatTime(startsAt, timeZone) > NIGHT_ENDS
}

const DAY_MS = 24 * 60 * 60_000

/**
 * When something is, in two lines: `Friday 20/11/2026` and `19:00–23:00 CET`, also when it ends in the night after. When it ends on
 * another day, both lines have a date: `Friday 20/11/2026, 19:00` and `to Sunday 22/11/2026, 12:00 CET`.
 */
export function spanLines(startsAt: Date, endsAt: Date, timeZone: string) {
  const { start, end, day, times } = spanOf(startsAt, endsAt, timeZone)
  return times === null
    ? { day: capitalized(start), times: texts.until({ end }), isOneEvening: false }
    : { day: capitalized(day), times, isOneEvening: true }
}

/** The same in one line: `Friday 20/11/2026, 19:00–23:00 CET`. */
export function formatSpan(startsAt: Date, endsAt: Date, timeZone: string): string {
  const { start, end, day, times } = spanOf(startsAt, endsAt, timeZone)
  return capitalized(times === null ? texts.fromTo({ start, end }) : `${day}, ${times}`)
}

/** The parts of both; `times` is null when it ends on another day. */
function spanOf(startsAt: Date, endsAt: Date, timeZone: string) {
  const dayOf = (moment: Date) => `${formatWeekday(moment, timeZone)} ${formatDate(moment, timeZone)}`
  const [start, end] = [formatTime(startsAt, timeZone), formatTime(endsAt, timeZone)]
  const zone = formatZone(startsAt, timeZone)
  return {
    day: dayOf(startsAt),
    times: isSameEvening(startsAt, endsAt, timeZone) ? `${start}–${end} ${zone}` : null,
    start: `${dayOf(startsAt)}, ${start}`,
    end: `${dayOf(endsAt)}, ${end} ${zone}`,
  }
}

/** At the start of a line, names of days and months begin with a capital letter also where the language writes them in lower case. */
function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase(localeOfNames()) + text.slice(1)
}

/**
 * When something is, beside a tile with its day and month: `Wed 09:00–12:00`, in another year `Wed 06/01/2027 09:00–12:00`, and
 * `Fri 19:00 – Sun 22/11/2026 12:00` when it ends on another day. The zone is named where the device, in `deviceZone`, has another time.
 */
export function besideTile(
  startsAt: Date,
  endsAt: Date,
  { timeZone, deviceZone, now }: { timeZone: string; deviceZone: string; now: Date },
): string {
  const yearOf = (date: Date) => formatDate(date, timeZone).slice(6)
  const weekdayOf = (date: Date) => formatWeekday(date, timeZone, 'short')
  const datedDayOf = (date: Date) => `${weekdayOf(date)} ${formatDate(date, timeZone)}`
  const day = yearOf(startsAt) === yearOf(now) ? weekdayOf(startsAt) : datedDayOf(startsAt)
  const [start, end] = [formatTime(startsAt, timeZone), formatTime(endsAt, timeZone)]
  const until = isSameEvening(startsAt, endsAt, timeZone) ? `–${end}` : ` – ${datedDayOf(endsAt)} ${end}`
  const isOwnTime = toLocalInput(startsAt, timeZone) === toLocalInput(startsAt, deviceZone)
  return capitalized(`${day} ${start}${until}${isOwnTime ? '' : ` ${formatZone(startsAt, timeZone)}`}`)
}

/** Day and month in the given zone for a date tile: `20` and `Nov`. */
export function tileOf(date: Date, timeZone: string): { day: string; month: string } {
  const parts = formatOf('tile', timeZone, { day: 'numeric', month: 'short' }, localeOfNames()).formatToParts(date)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? ''
  return { day: part('day'), month: part('month').replace(/\.$/, '') }
}

/** The month and year in the given zone, such as `November 2026`. */
export function formatMonth(date: Date, timeZone: string): string {
  return capitalized(formatOf('month', timeZone, { month: 'long', year: 'numeric' }, localeOfNames()).format(date))
}

const localParts: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
}

/** A moment as `yyyy-mm-ddTHH:mm` in the zone, for a date-time-local input. */
export function toLocalInput(date: Date, timeZone: string): string {
  const parts = formatOf('local', timeZone, localParts).formatToParts(date)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

/** The moment that `yyyy-mm-ddTHH:mm` means in the zone, or null when it is not one. In an hour that a clock change skips, the later one. */
export function fromLocalInput(text: string, timeZone: string): Date | null {
  const asUtc = new Date(`${text}:00.000Z`)
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) || Number.isNaN(asUtc.getTime())) return null
  // Twice, because the offset at the first guess may be that of the other side of a clock change.
  let guess = asUtc
  for (let round = 0; round < 2; round++) {
    const shown = new Date(`${toLocalInput(guess, timeZone)}:00.000Z`)
    guess = new Date(guess.getTime() + asUtc.getTime() - shown.getTime())
  }
  return guess
}
