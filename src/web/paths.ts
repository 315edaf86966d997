import type { PageType } from '../contract/pages.ts'

/** Every address of the web app. */
export const paths = {
  landing: '/',
  dashboard: '/dashboard',
  register: '/register',
  signin: '/signin',
  forgotPassword: '/forgot-password',
  profile: '/profile',
  signout: '/signout',
  /** The page of a helper's pass; with the secret of its link behind the `#`. */
  pass: (token = '') => (token === '' ? '/pass' : `/pass#${token}`),
  sudoDashboard: '/dashboard/sudo',
  adminDashboard: '/dashboard/admin',
  clubs: '/clubs',
  addClub: '/club/add',
  editClub: (clubId: number) => `/club/edit/${clubId}`,
  credential: (clubId: number) => `/club/${clubId}/credential`,
  team: '/team',
  history: '/history',
  addEvent: '/event/add',
  eventHome: (eventId: number) => `/event/${eventId}`,
  editEvent: (eventId: number) => `/event/${eventId}/edit`,
  form: (eventId: number) => `/event/${eventId}/form`,
  attendees: (eventId: number) => `/event/${eventId}/attendees`,
  vouchers: (eventId: number) => `/event/${eventId}/vouchers`,
  translations: (eventId: number) => `/event/${eventId}/translations`,
  helpers: (eventId: number) => `/event/${eventId}/door`,
  statistics: (eventId: number) => `/event/${eventId}/statistics`,
  /** Not a page: where the choice of a language is sent. */
  language: '/language',
  page: (type: PageType) => `/page/${type}`,
  editPage: (type: PageType) => `/page/${type}/edit`,
  scanner: (eventId: number) => `/event/${eventId}/scanner/main`,
  voucherScanner: (eventId: number) => `/event/${eventId}/scanner/voucher`,
  club: (clubId: number) => `/club/${clubId}/event`,
  calendarFeed: (clubId: number) => `/club/${clubId}/events.ics`,
  event: ({ id, clubId }: { id: number; clubId: number }) => `/club/${clubId}/event/${id}`,
  registered: (registration: { id: number; qrUuid: string; eventId: number; clubId: number }) =>
    `/club/${registration.clubId}/event/${registration.eventId}/success?registration_id=${registration.id}&qrUuid=${registration.qrUuid}`,
  ticket: ({ id, qrUuid }: { id: number; qrUuid: string }) => `/qr/${id}/${qrUuid}`,
  notFound: (status = 404) => `/not-found/${status}`,
} as const
