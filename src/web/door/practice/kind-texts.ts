import type { PracticeKind } from '../../../contract/values/practice-codes.ts'
import * as texts from '../../../texts/generated/practice.ts'
import type { Message } from '../../../texts/language.ts'

/** What each practice code is, and what is to be done about it at the door. */
export const kindTexts: Readonly<Record<PracticeKind, { name: Message; advice: Message }>> = {
  valid: { name: texts.valid, advice: texts.validAdvice },
  already: { name: texts.already, advice: texts.alreadyAdvice },
  cancelled: { name: texts.cancelled, advice: texts.cancelledAdvice },
  unpaid: { name: texts.unpaid, advice: texts.unpaidAdvice },
  other: { name: texts.other, advice: texts.otherAdvice },
  voucher: { name: texts.voucher, advice: texts.voucherAdvice },
  unknown: { name: texts.unknown, advice: texts.unknownAdvice },
}
