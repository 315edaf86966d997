import { toLocalInput } from '../../contract/values/dates.ts'

const MINUTE = 60_000
/** Clock changes happen only at quarter hours. */
const QUARTER = 15 * MINUTE

/**
 * Makes a function that converts moments to a zone's clock time, to the minute: a spreadsheet's dates have no zone, so the result's UTC
 * reads as the local time. Each quarter hour's offset is looked up once: most of an export's dates share a few.
 */
export function makeInZone(timeZone: string): (moment: Date) => Date {
  const distances = new Map<number, number>()
  return (moment) => {
    const minute = Math.floor(moment.getTime() / MINUTE) * MINUTE
    const quarter = Math.floor(minute / QUARTER) * QUARTER
    const distance =
      distances.get(quarter) ?? Date.parse(`${toLocalInput(new Date(quarter), timeZone)}:00.000Z`) - quarter
    distances.set(quarter, distance)
    return new Date(minute + distance)
  }
}

/** `YYYYMMDDTHHmmss` in a zone, for the name of a file. */
export function timestamp(moment: Date, timeZone: string): string {
  const seconds = String(moment.getUTCSeconds()).padStart(2, '0')
  return `${toLocalInput(moment, timeZone).replace(/[-:]/g, '')}${seconds}`
}
