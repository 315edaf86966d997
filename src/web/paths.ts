import type { PageType } from '../contract/pages.ts'

// Every address of the web app; each is an export of its own, so that a page loads those that it uses.

export const landing = '/'
export const dashboard = '/dashboard'
export const register = '/register'
export const signin = '/signin'
export const forgotPassword = '/forgot-password'
export const profile = '/profile'
export const apiTokens = '/profile/tokens'
export const signout = '/signout'
/** The page of a helper's pass; with the secret of its link behind the `#`. */
export const pass = (token = '') => (token === '' ? '/pass' : `/pass#${token}`)
export const sudoDashboard = '/dashboard/sudo'
export const platform = '/platform'
export const adminDashboard = '/dashboard/admin'
export const clubs = '/clubs'
export const addClub = '/club/add'
export const editClub = (clubId: number) => `/club/edit/${clubId}`
export const credential = (clubId: number) => `/club/${clubId}/credential`
export const team = '/team'
export const webhooks = '/club/webhooks'
export const moveClub = '/club/move'
export const history = '/history'
export const personalData = '/personal-data'
export const addEvent = '/event/add'
export const eventHome = (eventId: number) => `/event/${eventId}`
export const editEvent = (eventId: number) => `/event/${eventId}/edit`
export const form = (eventId: number) => `/event/${eventId}/form`
export const attendees = (eventId: number) => `/event/${eventId}/attendees`
export const ticketTypes = (eventId: number) => `/event/${eventId}/tickets`
export const vouchers = (eventId: number) => `/event/${eventId}/vouchers`
export const translations = (eventId: number) => `/event/${eventId}/translations`
export const helpers = (eventId: number) => `/event/${eventId}/door`
export const paperEntry = (eventId: number) => `/event/${eventId}/door/paper`
export const practiceCodes = (eventId: number) => `/event/${eventId}/door/practice`
export const statistics = (eventId: number) => `/event/${eventId}/statistics`
/** Not a page: where the choice of a language is sent. */
export const language = '/language'
export const page = (type: PageType) => `/page/${type}`
export const editPage = (type: PageType) => `/page/${type}/edit`
export const scanner = (eventId: number) => `/event/${eventId}/scanner/main`
export const voucherScanner = (eventId: number) => `/event/${eventId}/scanner/voucher`
export const club = (clubId: number) => `/club/${clubId}/event`
export const calendarFeed = (clubId: number) => `/club/${clubId}/events.ics`
export const event = ({ id, clubId }: { id: number; clubId: number }) => `/club/${clubId}/event/${id}`
export const registered = (registration: { id: number; qrUuid: string; eventId: number; clubId: number }) =>
  `/club/${registration.clubId}/event/${registration.eventId}/success?registration_id=${registration.id}&qrUuid=${registration.qrUuid}`
export const order = ({ id, secret }: { id: number; secret: string }) => `/order/${id}/${secret}`
/** The order's page right after registering, which says that it has worked. */
export const newOrder = (holder: { id: number; secret: string }) => `${order(holder)}?new`
export const ticket = ({ id, qrUuid }: { id: number; qrUuid: string }) => `/qr/${id}/${qrUuid}`
export const notFound = (status = 404) => `/not-found/${status}`
