import { Refusal } from '../../contract/errors.ts'
import { isCurrency } from '../../contract/values/currencies.ts'
import * as texts from '../../texts/generated/api.ts'

/** Refuses with INVALID_INPUT a currency in which cards cannot be charged, where one is given. */
export function checkCurrency(currency: string | undefined): void {
  if (currency === undefined || isCurrency(currency)) return
  const msg = texts.currencyWithoutCards
  throw new Refusal('INVALID_INPUT', { fields: [{ path: 'currency', msg }] })
}
