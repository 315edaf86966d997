import { visitorClubApi } from '../../contract/club.ts'
import { visitorEventApi } from '../../contract/event.ts'
import { isOpenForTickets } from '../../contract/event-state.ts'
import { visitorExtrasApi } from '../../contract/extras.ts'
import { visitorFormApi } from '../../contract/forms.ts'
import { onSale, visitorTicketTypeApi } from '../../contract/ticket-type.ts'
import { serverNow } from '../api/server-time.ts'
import { readId } from '../read-id.ts'
import { noTicketNow } from '../registrations/ticket-type/chosen-type.ts'
import type { PageAddress, PageData, Read } from './page-data.ts'

/** Reads the data of an event's page, always by the same calls in the same order. */
export async function readEventPage({ params }: PageAddress, read: Read): Promise<PageData> {
  const [clubId, eventId] = [readId(params.clubId), readId(params.eventId)]
  const [event, club, questions, extras, types] = await Promise.all([
    read(visitorEventApi.getEventByEventIdnClubId, { eventId, clubId }),
    read(visitorClubApi.getClub, { clubId }),
    read(visitorFormApi.getFormQuestions, { eventId }),
    read(visitorExtrasApi.getExtras, { eventId }),
    read(visitorTicketTypeApi.getTicketTypes, { eventId }),
  ])
  // Staff are also told of those that need a code.
  const ticketTypes = onSale(types).filter(({ access }) => access !== 'code')
  const now = serverNow()
  const isOpen = isOpenForTickets(event, now) && noTicketNow(ticketTypes, now) === null
  // The page is whole without them.
  const others = isOpen ? [] : await read(visitorEventApi.getNextEvents, { clubId, eventId }).catch(() => [])
  return { page: 'event', club, event, questions, extras, ticketTypes, others }
}
