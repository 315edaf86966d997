/** Stripe's key for its script in the page; null where visitors pay on Stripe's own page. */
export function stripeKey(): string | null {
  const told = document.querySelector<HTMLMetaElement>('meta[name="stripe-key"]')?.content ?? ''
  return told.startsWith('pk_') ? told : null
}
