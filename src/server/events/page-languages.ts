import { pageAt } from '../../contract/page-paths.ts'
import { languageFor, offeredBy } from '../../contract/values/languages.ts'
import type { Deps } from '../deps.ts'
import { everyLanguage, type PageLanguages } from '../http/pages/page-language.ts'
import { findOrderOf } from '../records/order-queries.ts'
import { findFormerHolder, findHolder } from '../records/registration-queries.ts'
import { readClub } from '../records/shared-reads.ts'

/** The languages of the page at this path: for visitors those that its club offers, for a ticket first that of its holder. */
export async function pageLanguages({ db }: Deps, path: string): Promise<PageLanguages> {
  const page = pageAt(path)
  const { clubId, id, qrUuid = '', secret = '' } = page?.params ?? {}
  switch (page?.path) {
    case '/club/:clubId/event':
    case '/club/:clubId/event/:eventId':
    case '/club/:clubId/event/:eventId/success': {
      const club = await readClub(db, Number(clubId))
      return club ? { offered: offeredBy(club), own: null } : everyLanguage
    }
    case '/qr/:id/:qrUuid': {
      const holder = (await findHolder(db, Number(id), qrUuid)) ?? (await findFormerHolder(db, Number(id), qrUuid))
      const club = holder && (await readClub(db, holder.clubId))
      return club ? { offered: offeredBy(club), own: languageFor(holder.language, club) } : everyLanguage
    }
    case '/order/:id/:secret': {
      const order = await findOrderOf(db, Number(id), secret)
      const club = order && (await readClub(db, order.clubId))
      return club ? { offered: offeredBy(club), own: languageFor(order.language, club) } : everyLanguage
    }
    default:
      return everyLanguage
  }
}
