import * as texts from '../../texts/generated/money.ts'
import { currentLanguage, type Message } from '../../texts/language.ts'
import { localeOf } from '../../texts/numbers.ts'

// Stripe's own decimals (docs.stripe.com/currencies), which differ from CLDR's: amounts are stored as Stripe takes them. Browsers and
// servers may have different tables of their own; this one is shared.
const withoutDecimals = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const withThree = new Set('bhd jod kwd omr tnd'.split(' '))

/** Every amount must be a multiple of this, in the minor unit: in some currencies Stripe requires zeros at the end. */
function stepOf(currency: string): number {
  if (withThree.has(currency)) return 10
  return currency === 'isk' || currency === 'ugx' ? 100 : 1
}

/** The error in an amount that is charged to cards, alone or with others; null when it is valid. */
export function validateAmount(amount: number, currency: string): Message | null {
  const step = stepOf(currency)
  return amount % step === 0 ? null : () => texts.multipleOf({ amount: formatPrice(step, currency) })
}

/** The nearest amount that can be charged to cards. */
export function roundAmount(amount: number, currency: string): number {
  const step = stepOf(currency)
  return Math.round(amount / step) * step
}

/** How many decimals a currency has at Stripe: 2 for the euro, none for the yen. */
export function decimalsOf(currency: string): number {
  return withoutDecimals.has(currency) ? 0 : withThree.has(currency) ? 3 : 2
}

// Stripe's smallest charges (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts), in minor units.
const smallest: Readonly<Record<string, number>> = {
  aed: 200,
  bgn: 100,
  czk: 1500,
  dkk: 250,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  mxn: 1000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1000,
}

/** The least that can be paid by card, in the minor unit; 50 where Stripe states no minimum. */
export function leastPayable(currency: string): number {
  return smallest[currency] ?? 50
}

/** An amount of the minor unit as people write it in that currency; 0 is `Free`. */
export function formatPrice(amount: number, currency: string): string {
  return amount === 0 ? texts.free() : formatAmount(amount, currency)
}

/** An event's price, or its lowest and highest one: `£10.00–£35.00`. */
export function formatPrices({ ticketPrice, ticketPriceTo, currency }: Prices): string {
  const from = formatPrice(ticketPrice, currency)
  return ticketPriceTo > ticketPrice ? texts.fromTo({ from, to: formatPrice(ticketPriceTo, currency) }) : from
}

interface Prices {
  ticketPrice: number
  ticketPriceTo: number
  currency: string
}

/** An amount of the minor unit as people write it in that currency, including zero: `€0.00`; with `shown` decimals if it has no others. */
export function formatAmount(amount: number, currency: string, shown = decimalsOf(currency)): string {
  const format = new Intl.NumberFormat(localeOf(currentLanguage()), {
    style: 'currency',
    // Of these there is only one; a dollar has to say whose it is.
    currencyDisplay: currency === 'gbp' ? 'narrowSymbol' : 'symbol',
    currency: currency.toUpperCase(),
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  })
  return format.format(amount / 10 ** decimalsOf(currency))
}

/** The total price of a ticket with these vouchers, in the minor unit. */
export function totalOf(ticketPrice: number, vouchers: readonly { price: number; quantity?: number }[]): number {
  return vouchers.reduce((sum, { price, quantity = 1 }) => sum + price * quantity, ticketPrice)
}
