import { attendeeApi } from './attendees.ts'
import { authApi } from './auth.ts'
import { checkinApi } from './checkins.ts'
import { clubApi } from './clubs.ts'
import { doorApi } from './door.ts'
import type { Endpoint } from './endpoint.ts'
import { eventApi } from './events.ts'
import { extrasApi } from './extras.ts'
import { formApi } from './forms.ts'
import { historyApi } from './history.ts'
import { pageApi } from './pages.ts'
import { passApi } from './passes.ts'
import { paymentApi } from './payments.ts'
import { platformApi } from './platform.ts'
import { redemptionApi } from './redemptions.ts'
import { refundApi } from './refunds.ts'
import { registrationApi } from './registrations.ts'
import { securityApi } from './security.ts'
import { statisticsApi } from './statistics.ts'
import { teamApi } from './team.ts'
import { textApi } from './texts.ts'
import { ticketApi } from './tickets.ts'
import { translationApi } from './translations.ts'
import { appUserApi } from './users.ts'

/** Every call of the API by feature: the table from which routes, tests and the reference page are drawn. */
const allCalls = {
  auth: authApi,
  users: appUserApi,
  security: securityApi,
  team: teamApi,
  passes: passApi,
  clubs: clubApi,
  events: eventApi,
  extras: extrasApi,
  forms: formApi,
  registrations: registrationApi,
  tickets: ticketApi,
  attendees: attendeeApi,
  payments: paymentApi,
  refunds: refundApi,
  redemptions: redemptionApi,
  checkins: checkinApi,
  door: doorApi,
  statistics: statisticsApi,
  pages: pageApi,
  texts: textApi,
  translations: translationApi,
  history: historyApi,
  platform: platformApi,
} as const

/** The same as a flat list. */
export const endpoints: readonly Endpoint[] = Object.values(allCalls).flatMap((calls) => Object.values<Endpoint>(calls))
