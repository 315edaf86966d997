import { type Club, visitorClubApi } from '../../contract/club.ts'
import type { Endpoint, Input, Payload } from '../../contract/endpoint.ts'
import { type Event, visitorEventApi } from '../../contract/event.ts'
import { canRegister } from '../../contract/event-state.ts'
import { type Extras, visitorExtrasApi } from '../../contract/extras.ts'
import { type FormQuestion, visitorFormApi } from '../../contract/forms.ts'
import { pageAt } from '../../contract/page-paths.ts'
import type { Answered, AskApi } from '../../contract/page-renderer.ts'
import { visitorPageApi } from '../../contract/pages.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { toLocalInput } from '../../contract/values/dates.ts'
import { fromAnswer, toRequest } from '../../contract/wire.ts'
import { serverNow } from '../api/server-time.ts'
import { readId } from '../read-id.ts'
import type { Ticket } from '../registrations/ticket/ticket.ts'

/** All data that a public page shows. */
export type PageData =
  | { page: 'club'; club: Club; events: readonly Event[] }
  | { page: 'clubs'; name: string; clubs: Payload<typeof visitorClubApi.findClubs> }
  | {
      page: 'event'
      club: Club
      event: Event
      questions: readonly FormQuestion[]
      extras: readonly Extras[]
      /** Others of the club that take registrations now or later, where nobody can register for this one. */
      others: readonly Event[]
    }
  | { page: 'registered'; ticket: Ticket; sessionId: string | null }
  | { page: 'info'; text: Payload<typeof visitorPageApi.getPage> }
  | { page: 'not found'; status: string | undefined; message: string | undefined }
  | { page: 'landing' | 'sign in' | 'sign up' | 'forgot password' | 'reset password' }

/** Makes a call, and throws when it is refused. */
type Read = <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Payload<E>>

/** How long ago an event may have been that a club's page still lists. */
const PAST_MS = 90 * 24 * 60 * 60_000

/** Reads the data of the public page at an address, always by the same calls in the same order. A refusal is thrown. */
export async function readPage(address: string, read: Read): Promise<PageData> {
  const { pathname, searchParams } = new URL(address, 'http://here')
  const { path, params } = pageAt(pathname) ?? { path: '/not-found/:status?/:message?', params: {} }
  switch (path) {
    case '/club/:clubId/event': {
      const clubId = readId(params.clubId)
      const club = await read(visitorClubApi.getClub, { clubId })
      const since = new Date(serverNow().getTime() - PAST_MS)
      const currentDate = toLocalInput(since, club.timeZone).slice(0, 10)
      return { page: 'club', club, events: await read(visitorEventApi.getAllActiveEvents, { clubId, currentDate }) }
    }
    case '/club/:clubId/event/:eventId': {
      const [clubId, eventId] = [readId(params.clubId), readId(params.eventId)]
      const [event, club, questions, extras] = await Promise.all([
        read(visitorEventApi.getEventByEventIdnClubId, { eventId, clubId }),
        read(visitorClubApi.getClub, { clubId }),
        read(visitorFormApi.getFormQuestions, { eventId }),
        read(visitorExtrasApi.getExtras, { eventId }),
      ])
      // The page is whole without them.
      const others = canRegister(event, serverNow())
        ? []
        : await read(visitorEventApi.getNextEvents, { clubId, eventId }).catch(() => [])
      return { page: 'event', club, event, questions, extras, others }
    }
    case '/club/:clubId/event/:eventId/success': {
      const registrationId = readId(searchParams.get('registration_id'))
      const qrUuid = searchParams.get('qrUuid') ?? ''
      const ticket = await read(registrationApi.getRegistration, { registrationId, qrUuid })
      return { page: 'registered', ticket, sessionId: searchParams.get('session_id') }
    }
    case '/clubs': {
      const name = (searchParams.get('name') ?? '').slice(0, 100)
      return { page: 'clubs', name, clubs: await read(visitorClubApi.findClubs, { name }) }
    }
    case '/page/:type':
      return { page: 'info', text: await read(visitorPageApi.getPage, { type: params.type ?? '' }) }
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
    default:
      return { page: 'not found', status: decoded(params.status), message: decoded(params.message) }
  }
}

/** A decoded part of an address; if it cannot be decoded, it stays as it is. */
function decoded(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part)
  } catch {
    return part
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
