import type { Club, visitorClubApi } from '../../contract/club.ts'
import type { Endpoint, Input, Payload } from '../../contract/endpoint.ts'
import type { Event } from '../../contract/event.ts'
import type { Extras } from '../../contract/extras.ts'
import type { FormQuestion } from '../../contract/forms.ts'
import type { orderApi } from '../../contract/orders.ts'
import type { visitorPageApi } from '../../contract/pages.ts'
import type { FoundPage } from '../../contract/path-finder.ts'
import type { PublicPath } from '../../contract/public-paths.ts'
import type { visitorVoucherApi } from '../../contract/redemptions.ts'
import type { TicketType } from '../../contract/ticket-type.ts'
import type { FormerTicket, Ticket } from '../registrations/ticket/ticket.ts'

/** The pages about links that are sent by mail. */
export type AccountLinkPageName = 'forgot password' | 'reset password' | 'confirm address' | 'invitation'

/** All data that a public page shows. */
export type PageData =
  | StaticData
  | {
      page: 'event'
      club: Club
      event: Event
      questions: readonly FormQuestion[]
      extras: readonly Extras[]
      /** Those on sale, in their order. */
      ticketTypes: readonly TicketType[]
      /** Others of the club that take registrations now or later, where nobody can register for this one. */
      others: readonly Event[]
    }
  | { page: 'registered'; ticket: Ticket; sessionId: string | null }
  | TicketData
  | { page: 'sign in' | 'sign up' | AccountLinkPageName }

/** The data of a page that is complete without script. */
export type StaticData =
  | { page: 'club'; club: Club; events: readonly Event[] }
  | { page: 'clubs'; name: string; clubs: Payload<typeof visitorClubApi.findClubs> }
  | { page: 'info'; text: Payload<typeof visitorPageApi.getPage> }
  | { page: 'not found'; status: string | undefined; message: string | undefined }
  | { page: 'landing' }

/** The data of a page whose address has the secret of a ticket, voucher or order. */
export type TicketData =
  | { page: 'ticket'; ticket: Ticket; goesToBank: boolean }
  | { page: 'voucher'; voucher: Payload<typeof visitorVoucherApi.getVoucher> }
  | ({ page: 'order'; sessionId: string | null; isNew: boolean; goesToBank: boolean } & Payload<
      typeof orderApi.getOrder
    >)
  | { page: 'no ticket'; reason: string | null; former: FormerTicket | null }

/** The address of a page, in its parts. */
export interface PageAddress extends FoundPage<PublicPath> {
  search: URLSearchParams
}

/** Makes a call, and throws when it is refused. */
export type Read = <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Payload<E>>
