import { visitorClubApi } from '../../contract/club.ts'
import { visitorEventApi } from '../../contract/event.ts'
import { canRegister } from '../../contract/event-state.ts'
import { visitorExtrasApi } from '../../contract/extras.ts'
import { visitorFormApi } from '../../contract/forms.ts'
import { pageAt } from '../../contract/page-paths.ts'
import type { Answered, AskApi } from '../../contract/page-renderer.ts'
import { onSale, visitorTicketTypeApi } from '../../contract/ticket-type.ts'
import { fromAnswer, toRequest } from '../../contract/wire.ts'
import { serverNow } from '../api/server-time.ts'
import { readId } from '../read-id.ts'
import { decoded } from './decoded.ts'
import type { PageData, Read } from './page-data.ts'

/** Reads the data of the public page at an address, always by the same calls in the same order. A refusal is thrown. */
export async function readPage(address: string, read: Read): Promise<PageData> {
  const { pathname, searchParams } = new URL(address, 'http://here')
  const { path, params } = pageAt(pathname) ?? { path: '/not-found/:status?/:message?', params: {} }
  switch (path) {
    case '/club/:clubId/event/:eventId': {
      const [clubId, eventId] = [readId(params.clubId), readId(params.eventId)]
      const [event, club, questions, extras, ticketTypes] = await Promise.all([
        read(visitorEventApi.getEventByEventIdnClubId, { eventId, clubId }),
        read(visitorClubApi.getClub, { clubId }),
        read(visitorFormApi.getFormQuestions, { eventId }),
        read(visitorExtrasApi.getExtras, { eventId }),
        read(visitorTicketTypeApi.getTicketTypes, { eventId }),
      ])
      // The page is whole without them.
      const others = canRegister(event, serverNow())
        ? []
        : await read(visitorEventApi.getNextEvents, { clubId, eventId }).catch(() => [])
      return { page: 'event', club, event, questions, extras, ticketTypes: onSale(ticketTypes), others }
    }
    case '/club/:clubId/event/:eventId/success':
    case '/qr/:id/:qrUuid':
      // Separate, because the visitors of an event do not need it.
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
