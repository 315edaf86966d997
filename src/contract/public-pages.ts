import { type PagePath, pageAt } from './page-paths.ts'

/**
 * The pages that the server renders: they show the same to everybody who knows their address. `static` ones are complete without script;
 * script takes over the others. The address of a `secret` one contains the secret of a ticket.
 */
const publicPages: { readonly [path in PagePath]?: 'static' | 'script' | 'secret' } = {
  '/': 'static',
  '/page/:type': 'static',
  '/not-found/:status?/:message?': 'static',
  '/club/:clubId/event': 'static',
  '/club/:clubId/event/:eventId': 'script',
  '/club/:clubId/event/:eventId/success': 'secret',
  '/signin': 'script',
  '/register': 'script',
  '/forgot-password': 'script',
  '/reset-password': 'script',
}

/** How the server renders the page at this path (without query); null when it does not. */
export function publicPageAt(path: string): 'static' | 'script' | 'secret' | null {
  const page = pageAt(path)
  return (page && publicPages[page.path]) ?? null
}
