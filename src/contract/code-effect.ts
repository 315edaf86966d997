import * as texts from '../texts/generated/codeEffect.ts'
import type { Code } from './codes.ts'
import { formatAmount } from './values/money.ts'

/** What a code does to the price of a ticket, in words. */
export function codeEffect({ kind, value }: Pick<Code, 'kind' | 'value'>, currency: string): string {
  if (kind === 'percent' ? value === 100 : kind === 'price' && value === 0) return texts.free()
  if (value === 0) return texts.usualPrice()
  const amount = formatAmount(value, currency)
  if (kind === 'percent') return texts.percentOff({ percent: value })
  return kind === 'amount' ? texts.amountOff({ amount }) : texts.fixedPrice({ amount })
}
