import { Refusal } from '../../contract/errors.ts'
import { isCurrency } from '../../contract/values/currencies.ts'

/** Refuses with INVALID_INPUT a currency in which cards cannot be charged, where one is given. */
export function checkCurrency(currency: string | undefined): void {
  if (currency === undefined || isCurrency(currency)) return
  const msg = 'Cards cannot be charged in this currency. Choose another one.'
  throw new Refusal('INVALID_INPUT', { fields: [{ path: 'currency', msg }] })
}
