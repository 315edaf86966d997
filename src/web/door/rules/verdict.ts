import type { DoorEvent, DoorTicket } from '../../../contract/door.ts'
import { isRefusalCode, refusals } from '../../../contract/errors.ts'
import { formatDate, formatTime } from '../../../contract/values/dates.ts'

/** The result of a scan, as the scanner shows it. */
export interface Verdict {
  /** `unsure`: neither the server nor the phone could decide. */
  kind: 'in' | 'already' | 'refused' | 'unsure'
  word: string
  name: string | null
  detail: string
  /** The guest's answers that are shown at the door. */
  notes: readonly { label: string; text: string }[]
  /** The registration, where there is one. */
  ticketId: number | null
  /** The code of the refusal; null if they are let in. */
  code: string | null
}

/** The data from which a verdict is made. */
export interface Finding {
  code: string | null
  ticketId?: number | null
  name?: string | null
  /** The first check-in. */
  first?: DoorTicket['in']
  /** The server's sentence, which may say more than the code's. */
  msg?: string | null
  notes?: Verdict['notes']
}

const details: Readonly<Record<string, string>> = {
  NOT_FOUND: 'No ticket of this event has this code.',
  INVALID_QR: 'This is not a Turnout code.',
  WRONG_SCANNER: 'This is a voucher, not a ticket. Use the voucher scanner.',
}

/** The reason in a word or two, which leads the verdict of a refusal. */
const words: Readonly<Record<string, string>> = {
  NOT_FOUND: 'Unknown code',
  INVALID_QR: 'Unknown code',
  WRONG_SCANNER: 'A voucher',
  WRONG_EVENT: 'Other event',
  TICKET_CANCELLED: 'Cancelled',
  TICKET_UNPAID: 'Not paid',
}

/** The word of a refusal with this code. */
export const wordOf = (code: string) => words[code] ?? 'Not valid'

/** Words a verdict, with times in the event's time zone. */
export function verdictOf(
  { code, ticketId = null, name = null, first = null, msg = null, notes = [] }: Finding,
  event?: Pick<DoorEvent, 'timeZone' | 'startsAt'>,
): Verdict {
  const about = { name, ticketId, code, notes: code === null ? notes : [] }
  if (code === null) return { kind: 'in', word: 'Valid', detail: '', ...about }
  if (code === 'ALREADY_CHECKED_IN')
    return { kind: 'already', word: 'Already in', detail: first && event ? since(first, event) : (msg ?? ''), ...about }
  const detail = details[code] ?? msg ?? (isRefusalCode(code) ? refusals[code].msg : 'This ticket is not valid.')
  return { kind: 'refused', word: wordOf(code), detail, ...about }
}

/** The verdict where neither the phone nor the server could decide. */
export function unsure(detail: string, name: string | null = null): Verdict {
  return { kind: 'unsure', word: 'Not checked', detail, name, notes: [], ticketId: null, code: 'UNAVAILABLE' }
}

/** `Since 19:42, let in by Ana on Gate B.`, with the date when it was on another day than the event's first. */
function since(
  { at, by, device }: NonNullable<DoorTicket['in']>,
  { timeZone, startsAt }: Pick<DoorEvent, 'timeZone' | 'startsAt'>,
): string {
  const day = formatDate(at, timeZone)
  const when = `${day === formatDate(startsAt, timeZone) ? '' : `${day}, `}${formatTime(at, timeZone)}`
  return `Since ${when}, let in by ${by}${device === null ? '' : ` on ${device}`}.`
}
