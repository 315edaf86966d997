import { pathFinder } from './path-finder.ts'
import { publicPaths } from './public-paths.ts'

/**
 * Every address of the web app. The web's routes are exactly these (`test/architecture.test.ts`); for any other the server answers 404.
 * A part that begins with a colon is a parameter, one that ends with `?` may be left out.
 */
export const pagePaths = [
  ...publicPaths,
  '/pass',
  '/profile',
  '/profile/tokens',
  '/signout',
  '/dashboard',
  '/dashboard/sudo',
  '/platform',
  '/dashboard/admin',
  '/door',
  '/team',
  '/history',
  '/personal-data',
  '/club/add',
  '/club/webhooks',
  '/club/move',
  '/club/edit/:clubId?',
  '/club/:clubId/credential',
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
  '/page/:type/edit',
] as const
export type PagePath = (typeof pagePaths)[number]

/** The page at this address (without query), with its parameters; null when there is none. */
export const pageAt = pathFinder(pagePaths)
