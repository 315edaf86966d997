import { formatDay } from './days.ts'

/** A label of the horizontal axis. */
export interface Tick {
  /** The band in whose middle it stands; a fraction between two of them. */
  at: number
  text: string
  /** A second line below it. */
  year?: string
}

/** Returns at most `most` labels, or one more where the last has room. */
export type Axis = (most: number) => Tick[]

/** The least gap before the last label, as a part of the width that a label takes: about 40 px. */
const LEAST_GAP = 0.65

const dayStrides = [1, 2, 3, 4, 5, 7, 14, 21, 28, 56, 91, 182, 364]

/** The axis of bands that begin with these days. The year is added only if it is not always the current one, and where it changes. */
export function dayAxis(days: readonly number[], currentYear: string): Axis {
  const years = new Set(days.map(yearOf))
  const needsYear = years.size > 1 || !years.has(currentYear)
  return (most) => {
    const stride = dayStrides.find((each) => Math.ceil(days.length / each) <= most) ?? Math.ceil(days.length / most)
    const last = days.length - 1
    // The last day has a label in any case.
    const isNearLast = (index: number) => index !== last && (last - index) * most < LEAST_GAP * last
    const shown = days.flatMap((day, index) =>
      (index % stride === 0 || index === last) && !isNearLast(index) ? [{ day, at: index }] : [],
    )
    return shown.map(({ day, at }, index) => {
      const before = shown[index - 1]
      const isNewYear = needsYear && (!before || yearOf(before.day) !== yearOf(day))
      return { at, text: formatDay(day).slice(0, 5), ...(isNewYear && { year: yearOf(day) }) }
    })
  }
}

const yearOf = (day: number) => formatDay(day).slice(6)

const minuteStrides = [15, 30, 60, 120, 180, 240, 360, 720]

interface Times {
  /** The minutes after midnight at which the first band is or begins. */
  from: number
  /** The minutes from one band to the next. */
  step: number
  count: number
  /** Whether bands are moments, or last from theirs to the next. */
  isMoments: boolean
}

/** The axis of bands at times of a day. */
export function timeAxis({ from, step, count, isMoments }: Times): Axis {
  return (most) => {
    const stride = minuteStrides.find((each) => (count * step) / each < most) ?? DAY_MINUTES
    const end = from + step * (isMoments ? count - 1 : count)
    const ticks: Tick[] = []
    for (let minutes = Math.ceil(from / stride) * stride; minutes <= end; minutes += stride)
      ticks.push({ at: (minutes - from) / step - (isMoments ? 0 : 0.5), text: clockOf(minutes) })
    return ticks
  }
}

const DAY_MINUTES = 24 * 60

/** HH:mm of minutes after midnight. */
function clockOf(minutes: number): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`
}

/** Round numbers from at or below `least` (0 or less) to at or above `most`, in up to six steps. */
export function valueTicks(least: number, most: number): number[] {
  const range = Math.max(1, most - least)
  const power = 10 ** Math.floor(Math.log10(range / 5))
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((each) => range / each <= 5) ?? range)
  const first = Math.floor(least / step)
  const last = Math.max(first + 1, Math.ceil(most / step))
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}
