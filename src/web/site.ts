import type { Site } from '../contract/page-renderer.ts'

/** The site's settings, set by the server before it renders; a browser reads them from the page. */
let told: Site | null = null

/** To be called by the server, before it renders. */
export function tellSite(site: Site): void {
  told = site
}

/** The public address of this site (BASE_URL) without a slash at its end: for codes and links that leave the page. */
export function baseUrl(): string {
  const address = told?.baseUrl ?? meta('base-url')
  // In development the page comes from Vite, which does not fill it in.
  return address.startsWith('http') ? address : window.location.origin
}

/** Stripe's key for its script in the page; null where visitors pay on Stripe's own page. */
export function stripeKey(): string | null {
  const key = told ? told.stripeKey : meta('stripe-key')
  return key?.startsWith('pk_') ? key : null
}

function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}
