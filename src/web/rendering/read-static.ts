import { visitorClubApi } from '../../contract/club.ts'
import { visitorEventApi } from '../../contract/event.ts'
import { visitorPageApi } from '../../contract/pages.ts'
import { toLocalInput } from '../../contract/values/dates.ts'
import { serverNow } from '../api/server-time.ts'
import { readId } from '../read-id.ts'
import type { PageAddress, PageData, Read } from './page-data.ts'

/** How long ago an event may have been that a club's page still lists. */
const PAST_MS = 90 * 24 * 60 * 60_000

/** Reads the data of a page that is complete without script; the browser seldom renders one. */
export async function readStaticPage({ path, params, search }: PageAddress, read: Read): Promise<PageData> {
  if (path === '/clubs') {
    const name = (search.get('name') ?? '').slice(0, 100)
    return { page: 'clubs', name, clubs: await read(visitorClubApi.findClubs, { name }) }
  }
  if (path === '/page/:type')
    return { page: 'info', text: await read(visitorPageApi.getPage, { type: params.type ?? '' }) }
  const clubId = readId(params.clubId)
  const club = await read(visitorClubApi.getClub, { clubId })
  const since = new Date(serverNow().getTime() - PAST_MS)
  const currentDate = toLocalInput(since, club.timeZone).slice(0, 10)
  return { page: 'club', club, events: await read(visitorEventApi.getAllActiveEvents, { clubId, currentDate }) }
}
