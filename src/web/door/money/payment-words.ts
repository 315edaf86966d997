import { formatPrice } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/doorMoney.ts'
import type { Payment } from '../rules/queue-entry.ts'

/** The amount and the way of a payment, for texts. */
export const shownMoney = ({ way, amount, currency }: Payment) => ({ way, amount: formatPrice(amount, currency) })

/** Why the server did not take the payment, and what is to be done; `msg` is the server's sentence. */
export function notTakenText(code: string, msg: string): string {
  if (code === 'ALREADY_PAID') return texts.alreadyPaid()
  if (code === 'SOLD_OUT') return texts.placeGone()
  return `${msg} ${texts.notTaken()}`
}
