// Stripe's own counting (docs.stripe.com/currencies), which is not CLDR's: what is stored is what Stripe is told. Browsers and servers
// may carry different tables; this one is everybody's.
const withoutDecimals = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const withThree = new Set('bhd jod kwd omr tnd'.split(' '))

/** Of which amount every amount must be a multiple, in the minor unit: Stripe counts some currencies with zeros at their end. */
function stepOf(currency: string): number {
  if (withThree.has(currency)) return 10
  return currency === 'isk' || currency === 'ugx' ? 100 : 1
}

/** What is wrong with an amount that cards are to be charged, whatever else is added to it; null when nothing is. */
export function validateAmount(amount: number, currency: string): string | null {
  const step = stepOf(currency)
  return amount % step === 0 ? null : `Enter a multiple of ${formatPrice(step, currency)}.`
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

/** The least that can be paid by card, in the minor unit; where Stripe names none of its own, 50. */
export function leastPayable(currency: string): number {
  return smallest[currency] ?? 50
}

/** An amount of the minor unit as people write it in that currency; 0 is `Free`. */
export function formatPrice(amount: number, currency: string): string {
  return amount === 0 ? 'Free' : formatAmount(amount, currency)
}

/** An amount of the minor unit as people write it in that currency, nothing at all included: `€0.00`. */
export function formatAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency)
  const format = new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return format.format(amount / 10 ** decimals)
}

/** What is to be paid for a ticket with these vouchers, in the minor unit. */
export function totalOf(ticketPrice: number, vouchers: readonly { price: number; quantity?: number }[]): number {
  return vouchers.reduce((sum, { price, quantity = 1 }) => sum + price * quantity, ticketPrice)
}
