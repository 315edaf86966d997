import type { DoorEvent, DoorTicket } from '../../../contract/door.ts'
import { isRefusalCode, refusals } from '../../../contract/errors.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/door.ts'
import * as exitTexts from '../../../texts/generated/exits.ts'
import type { Message } from '../../../texts/language.ts'

/** The result of a scan, as the scanner shows it. */
export interface Verdict {
  /** `unsure`: neither the server nor the phone could decide. */
  kind: 'in' | 'already' | 'refused' | 'unsure'
  word: string
  name: string | null
  /** The sum to pay, as large as the name; null where it does not matter or is not known. */
  due: string | null
  /** The same as a number, for whoever may take it; left out where there is nothing to take. */
  toTake?: { amount: number; currency: string }
  detail: string
  /** The first check-in of a ticket that is in already, as far as it is known, and the event's time zone. */
  first: { checkin: NonNullable<DoorTicket['in']>; timeZone: string } | null
  /** The guest's answers that are shown at the door. */
  notes: readonly { label: string; text: string }[]
  /** The registration, where there is one. */
  ticketId: number | null
  /** The code of the refusal; null if they are let in. */
  code: string | null
}

/** Empty details for vouchers: payment, first check-in and answers are shown for tickets only. */
export const NO_TICKET_DETAILS: Pick<Verdict, 'due' | 'first' | 'notes'> = { due: null, first: null, notes: [] }

/** The data from which a verdict is made. */
export interface Finding {
  code: string | null
  ticketId?: number | null
  name?: string | null
  /** The first check-in. */
  first?: DoorTicket['in']
  /** What an unpaid ticket costs. */
  due?: DoorTicket['due']
  /** Whether an unpaid ticket costs nothing itself: it is valid once others of its order have paid. */
  waits?: boolean
  /** Whether they have gone out since they were let in. */
  isOut?: boolean | undefined
  /** Whether whoever had been let in goes out or comes back. */
  moved?: 'out' | 'back' | undefined
  /** The server's sentence, which may say more than the code's. */
  msg?: string | null
  notes?: Verdict['notes']
}

const details: Readonly<Record<string, Message>> = {
  NOT_FOUND: texts.notFoundDetail,
  INVALID_QR: texts.invalidQrDetail,
  WRONG_SCANNER: texts.wrongScannerDetail,
  TICKET_HANDED_ON: texts.handedOnDetail,
  TICKET_UNPAID: texts.unpaidDetail,
  NOT_INSIDE: exitTexts.notInsideDetail,
}

/** The reason in a word or two, which leads the verdict of a refusal. */
const words: Readonly<Record<string, Message>> = {
  NOT_FOUND: texts.unknownCode,
  INVALID_QR: texts.unknownCode,
  WRONG_SCANNER: texts.aVoucher,
  WRONG_EVENT: texts.otherEvent,
  TICKET_CANCELLED: texts.cancelled,
  TICKET_UNPAID: texts.notPaid,
  TICKET_HANDED_ON: texts.givenAway,
  NOT_INSIDE: exitTexts.notInside,
}

const wordOfValid = (moved: Finding['moved']) =>
  (moved === 'out' ? exitTexts.goesOut : moved === 'back' ? exitTexts.backIn : texts.valid)()

/** The word of a refusal with this code. */
export const wordOf = (code: string) => (words[code] ?? texts.notValid)()

/** Words a verdict, with times in the event's time zone. */
export function verdictOf(
  {
    code,
    ticketId = null,
    name = null,
    first = null,
    isOut,
    due,
    waits = false,
    moved,
    msg = null,
    notes = [],
  }: Finding,
  event?: Pick<DoorEvent, 'timeZone'>,
): Verdict {
  const about = { ...NO_TICKET_DETAILS, name, ticketId, code, ...(code === null && { notes }) }
  if (code === null) return { kind: 'in', word: wordOfValid(moved), detail: '', ...about }
  if (code === 'ALREADY_CHECKED_IN' && isOut)
    return { ...about, kind: 'already', word: exitTexts.hasLeft(), detail: exitTexts.hasLeftDetail() }
  if (code === 'ALREADY_CHECKED_IN')
    return first && event
      ? {
          ...about,
          kind: 'already',
          word: texts.alreadyIn(),
          detail: '',
          first: { checkin: first, timeZone: event.timeZone },
        }
      : { ...about, kind: 'already', word: texts.alreadyIn(), detail: msg ?? '' }
  const detail = waits
    ? texts.waitsForOrder()
    : (details[code]?.() ?? msg ?? (isRefusalCode(code) ? refusals[code].msg() : texts.ticketNotValid()))
  const isOpen = code === 'TICKET_UNPAID' && due
  const open = isOpen ? texts.toPay({ amount: formatPrice(due.amount, due.currency) }) : null
  return { ...about, kind: 'refused', word: wordOf(code), detail, due: open, ...(isOpen && { toTake: due }) }
}

/** The verdict where neither the phone nor the server could decide. */
export function unsure(detail: string, name: string | null = null): Verdict {
  const about = { ...NO_TICKET_DETAILS, name, ticketId: null, code: 'UNAVAILABLE' }
  return { kind: 'unsure', word: texts.notChecked(), detail, ...about }
}
