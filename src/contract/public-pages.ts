import { findPublicPage, type PublicPath } from './public-paths.ts'

type PageKind = 'static' | 'search' | 'script' | 'secret'

/**
 * The pages that the server renders: they show the same to everybody who knows their address. `static` ones are complete without script;
 * script takes over the others. A `search` one is static, and depends on the query of its address. The address of a `secret` one contains the
 * secret of a ticket, voucher or order.
 */
const kinds: Readonly<Record<PublicPath, PageKind>> = {
  '/': 'static',
  '/clubs': 'search',
  '/page/:type': 'static',
  '/not-found/:status?/:message?': 'static',
  '/club/:clubId/event': 'static',
  '/club/:clubId/event/:eventId': 'script',
  '/club/:clubId/event/:eventId/success': 'secret',
  '/qr/:id/:qrUuid': 'secret',
  '/order/:id/:secret': 'secret',
  '/signin': 'script',
  '/register': 'script',
  '/forgot-password': 'script',
  '/reset-password': 'script',
  '/confirm-address': 'script',
  '/invitation': 'script',
}

/** How the server renders the page at this path (without query); null when it does not. */
export function publicPageAt(path: string): PageKind | null {
  const page = findPublicPage(path)
  return page && kinds[page.path]
}
