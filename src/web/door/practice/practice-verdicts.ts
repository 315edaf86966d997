import type { PracticeKind } from '../../../contract/values/practice-codes.ts'
import * as texts from '../../../texts/generated/door.ts'
import * as practiceTexts from '../../../texts/generated/practice.ts'
import { type Door, serverNow } from '../phone/door.ts'
import { NO_TICKET_DETAILS, type Verdict, verdictOf } from '../rules/verdict.ts'

/** The code of the verdict on a real ticket while practice is on. */
export const PRACTICE_ON = 'PRACTICE_ON'

/** How long before the scan the practice guest who is in already came in, in ms. */
const EARLIER_MS = 12 * 60_000

const plain = { name: null, ...NO_TICKET_DETAILS, ticketId: null, detail: '' }

/** The verdict that such a ticket or voucher gets at night. */
export function verdictOfPractice(
  kind: PracticeKind,
  variant: 'main' | 'voucher',
  door: Pick<Door, 'list' | 'clockOffset' | 'device'>,
): Verdict {
  const verdict = variant === 'main' ? ofTicket(kind, door) : ofVoucher(kind)
  // The codes are known to all: the green screen has to say that it lets nobody in.
  return verdict.kind === 'in' ? { ...verdict, detail: practiceTexts.nothingCounts() } : verdict
}

function ofTicket(
  kind: PracticeKind,
  { list, device, ...clock }: Pick<Door, 'list' | 'clockOffset' | 'device'>,
): Verdict {
  const name = practiceTexts.guest()
  switch (kind) {
    case 'valid':
      return verdictOf({ code: null, name })
    case 'already': {
      const at = new Date(serverNow(clock).getTime() - EARLIER_MS)
      const first = { at, by: practiceTexts.someone(), device: device.name }
      // Without a list the time zone is not known, and the phone's own is as good.
      const timeZone = list?.event.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
      return verdictOf({ code: 'ALREADY_CHECKED_IN', name, first }, { timeZone })
    }
    case 'voucher':
      return verdictOf({ code: 'WRONG_SCANNER' })
    default:
      return refused(kind, name)
  }
}

function ofVoucher(kind: PracticeKind): Verdict {
  const name = practiceTexts.guest()
  if (kind === 'voucher')
    return { ...plain, kind: 'in', word: texts.redeemed(), name, detail: practiceTexts.redeemed(), code: null }
  if (kind === 'already')
    return {
      ...plain,
      kind: 'already',
      word: texts.usedUp(),
      name,
      detail: texts.nothingLeft(),
      code: 'ALREADY_REDEEMED',
    }
  if (kind === 'valid') {
    const detail = texts.ticketWithoutVouchers()
    return { ...verdictOf({ code: 'NO_VOUCHER', name }), word: texts.noVoucherWord(), detail }
  }
  return refused(kind, name)
}

function refused(kind: 'cancelled' | 'unpaid' | 'other' | 'unknown', name: string): Verdict {
  if (kind === 'cancelled') return verdictOf({ code: 'TICKET_CANCELLED', name })
  if (kind === 'unpaid') return verdictOf({ code: 'TICKET_UNPAID', name })
  // The holder of another event's ticket is not named.
  return verdictOf({ code: kind === 'other' ? 'WRONG_EVENT' : 'NOT_FOUND' })
}

/** The verdict on a real ticket or voucher, or anything else, while practice is on. */
export function practiceIsOn(): Verdict {
  return {
    ...plain,
    kind: 'refused',
    word: texts.notChecked(),
    detail: practiceTexts.nobodyLetIn(),
    code: PRACTICE_ON,
  }
}

/** The verdict on a practice code while practice is off. */
export function thisIsPractice(): Verdict {
  const [word, detail] = [practiceTexts.practiceCode(), practiceTexts.noTicket()]
  return { ...plain, kind: 'refused', word, detail, code: 'INVALID_QR' }
}
