/**
 * Every address of the web app. The web's routes are exactly these (`test/architecture.test.ts`); for any other the server answers 404.
 * A part that begins with a colon is a parameter, one that ends with `?` may be left out.
 */
export const pagePaths = [
  '/',
  '/register',
  '/signin',
  '/forgot-password',
  '/reset-password',
  '/invitation',
  '/pass',
  '/profile',
  '/profile/tokens',
  '/signout',
  '/dashboard',
  '/dashboard/sudo',
  '/dashboard/admin',
  '/door',
  '/clubs',
  '/team',
  '/history',
  '/club/add',
  '/club/webhooks',
  '/club/edit/:clubId?',
  '/club/:clubId/credential',
  '/club/:clubId/event',
  '/club/:clubId/event/:eventId',
  '/club/:clubId/event/:eventId/success',
  '/event/add',
  '/event/:eventId',
  '/event/:eventId/edit',
  '/event/:eventId/form',
  '/event/:eventId/attendees',
  '/event/:eventId/tickets',
  '/event/:eventId/vouchers',
  '/event/:eventId/translations',
  '/event/:eventId/statistics',
  '/event/:eventId/door',
  '/event/:eventId/door/paper',
  '/event/:eventId/door/practice',
  '/event/:eventId/scanner/:variant',
  '/qr/:id/:qrUuid',
  '/order/:id/:secret',
  '/page/:type',
  '/page/:type/edit',
  '/not-found/:status?/:message?',
] as const
export type PagePath = (typeof pagePaths)[number]

const ids = ['id', 'clubId', 'eventId']

// Matches addresses as the web's routers do: ignoring case, with or without a slash at the end.
const patterns = pagePaths.map((path) => {
  const source = path.replace(/\/:(\w+)(\?)?/g, (_, name: string, optional = '') => {
    return `(?:/(?<${name}>${ids.includes(name) ? '[1-9]\\d{0,8}' : '[^/]+'}))${optional}`
  })
  return { path, pattern: new RegExp(`^${source === '/' ? '' : source}/?$`, 'i') }
})

/** The page at this address, with its parameters; null when there is none. */
export function pageAt(address: string): { path: PagePath; params: Readonly<Record<string, string>> } | null {
  for (const { path, pattern } of patterns) {
    const match = pattern.exec(address)
    if (match) return { path, params: match.groups ?? {} }
  }
  return null
}
