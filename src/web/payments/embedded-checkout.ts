import { loadStripe } from '@stripe/stripe-js/pure'

const LOAD_MS = 15_000

/** Shows Stripe's card form in the element and returns a function that removes it. Fails if Stripe's script cannot be loaded. */
export async function showCardForm(key: string, clientSecret: string, element: HTMLElement): Promise<() => void> {
  const form = await Promise.race([
    load(key, clientSecret),
    new Promise<never>((_resolve, reject) =>
      setTimeout(() => reject(new Error('The card form did not come.')), LOAD_MS),
    ),
  ])
  form.mount(element)
  return () => form.destroy()
}

async function load(key: string, clientSecret: string) {
  const stripe = await loadStripe(key)
  if (!stripe) throw new Error('There is no card form outside a page.')
  return stripe.createEmbeddedCheckoutPage({ clientSecret })
}
