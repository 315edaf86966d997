import { pathFinder } from './path-finder.ts'

/** The addresses of the pages that the server renders. They are apart from the others so that visitors load no addresses of staff pages. */
export const publicPaths = [
  '/',
  '/clubs',
  '/page/:type',
  '/not-found/:status?/:message?',
  '/club/:clubId/event',
  '/club/:clubId/event/:eventId',
  '/club/:clubId/event/:eventId/success',
  '/qr/:id/:qrUuid',
  '/order/:id/:secret',
  '/signin',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/confirm-address',
  '/invitation',
] as const
export type PublicPath = (typeof publicPaths)[number]

/** The page at this address (without query) that the server renders, with its parameters; null when it renders none there. */
export const findPublicPage = pathFinder(publicPaths)
