import type { Answered, AskApi } from '../../contract/page-renderer.ts'
import { findPublicPage } from '../../contract/public-paths.ts'
import { fromAnswer, toRequest } from '../../contract/wire.ts'
import { decoded } from './decoded.ts'
import type { PageData, Read } from './page-data.ts'

/** Reads the data of the public page at an address, always by the same calls in the same order. A refusal is thrown. */
export async function readPage(address: string, read: Read): Promise<PageData> {
  const { pathname, searchParams } = new URL(address, 'http://here')
  const { path, params } = findPublicPage(pathname) ?? { path: '/not-found/:status?/:message?', params: {} }
  switch (path) {
    // Those with a form or a code are separate, because no other page needs what they need.
    case '/club/:clubId/event/:eventId':
      return (await import('./read-event.ts')).readEventPage({ path, params, search: searchParams }, read)
    case '/club/:clubId/event/:eventId/success':
    case '/qr/:id/:qrUuid':
    case '/order/:id/:secret':
      return (await import('./read-ticket.ts')).readTicketPage({ path, params, search: searchParams }, read)
    case '/club/:clubId/event':
    case '/clubs':
    case '/page/:type':
      return (await import('./read-static.ts')).readStaticPage({ path, params, search: searchParams }, read)
    case '/':
      return { page: 'landing' }
    case '/signin':
      return { page: 'sign in' }
    case '/register':
      return { page: 'sign up' }
    case '/forgot-password':
      return { page: 'forgot password' }
    case '/reset-password':
      return { page: 'reset password' }
    case '/confirm-address':
      return { page: 'confirm address' }
    case '/invitation':
      return { page: 'invitation' }
    default:
      return { page: 'not found', status: decoded(params.status), message: decoded(params.message) }
  }
}

/** Makes a page's calls through `ask` instead of over HTTP. */
export function readFrom(ask: AskApi): Read {
  return async (endpoint, input) => {
    const { status, body } = await ask(toRequest(endpoint, input))
    return fromAnswer(endpoint, status, body).payload
  }
}

/** Replays earlier answers for a page's calls, in order. */
export function oneByOne(answers: readonly Answered[]): AskApi {
  const rest = [...answers]
  return async () => rest.shift() ?? { status: 503, body: null }
}
