import { Fault } from './fault.ts'

// Stripe's own lists: they differ from ISO 4217 in a few places.
const withoutDecimals = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ')
const withThreeDecimals = 'bhd jod kwd omr tnd'.split(' ')

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** The currency's code in lower case. */
export function currencyFrom(text: string, param: string): string {
  if (!currencies.has(text.toUpperCase())) throw new Fault(`Invalid currency: ${text.toLowerCase()}`, { param })
  return text.toLowerCase()
}

/** An amount in minor units, as people read it. */
export function formatAmount(amount: number, currency: string): string {
  const places = withoutDecimals.includes(currency) ? 0 : withThreeDecimals.includes(currency) ? 3 : 2
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(amount / 10 ** places)
}
