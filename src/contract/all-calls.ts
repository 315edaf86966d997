import { apiTokenApi } from './api-tokens.ts'
import { attendeeApi } from './attendees.ts'
import { authApi } from './auth.ts'
import { boardApi } from './board.ts'
import { checkinApi } from './checkins.ts'
import { clubFileApi } from './club-files.ts'
import { clubMemberApi } from './club-members.ts'
import { clubApi } from './clubs.ts'
import { codeApi } from './codes.ts'
import { doorApi } from './door.ts'
import type { Api, Endpoint } from './endpoint.ts'
import { eventApi } from './events.ts'
import { extrasApi } from './extras.ts'
import { formApi } from './forms.ts'
import { historyApi } from './history.ts'
import { orderApi } from './orders.ts'
import { pageApi } from './pages.ts'
import { paperApi } from './paper.ts'
import { passApi } from './passes.ts'
import { passkeyApi } from './passkeys.ts'
import { paymentApi } from './payments.ts'
import { personalDataApi } from './personal-data.ts'
import { platformApi } from './platform.ts'
import { redemptionApi } from './redemptions.ts'
import { refundApi } from './refunds.ts'
import { registrationApi } from './registrations.ts'
import { securityApi } from './security.ts'
import { statisticsApi } from './statistics.ts'
import { teamApi } from './team.ts'
import { textApi } from './texts.ts'
import { ticketTypeApi } from './ticket-types.ts'
import { ticketApi } from './tickets.ts'
import { translationApi } from './translations.ts'
import { appUserApi } from './users.ts'
import { walkInApi } from './walk-ins.ts'
import { webhookApi } from './webhooks.ts'

/** Every call of the API by feature: the table from which routes, tests and the reference page are drawn. */
export const features: readonly Feature[] = [
  { name: 'auth', summary: 'Signing in and out, one’s own sessions, and new passwords.', calls: authApi },
  { name: 'users', summary: 'The people in a club’s team.', calls: appUserApi },
  { name: 'security', summary: 'Fresh sign-ins and the second step of signing in.', calls: securityApi },
  { name: 'passkeys', summary: 'Passkeys, to sign in without a password.', calls: passkeyApi },
  { name: 'tokens', summary: 'API tokens, with which programs act for somebody of a team.', calls: apiTokenApi },
  { name: 'team', summary: 'Invitations to a club’s team.', calls: teamApi },
  {
    name: 'passes',
    summary: 'Helper passes: links that open the scanner of one event without an account.',
    calls: passApi,
  },
  { name: 'clubs', summary: 'Clubs and their settings.', calls: clubApi },
  { name: 'clubFiles', summary: 'A whole club as one file, to move it to another server.', calls: clubFileApi },
  { name: 'clubMembers', summary: 'The members of a club, for tickets that only they can buy.', calls: clubMemberApi },
  { name: 'events', summary: 'Events of a club.', calls: eventApi },
  { name: 'ticketTypes', summary: 'The kinds of ticket that an event sells.', calls: ticketTypeApi },
  { name: 'codes', summary: 'Codes for lower prices, and for tickets that need one.', calls: codeApi },
  { name: 'extras', summary: 'Vouchers that an event sells with its tickets.', calls: extrasApi },
  { name: 'forms', summary: 'The questions of an event’s registration form.', calls: formApi },
  { name: 'registrations', summary: 'What visitors do: register, and find their tickets.', calls: registrationApi },
  { name: 'tickets', summary: 'What whoever holds a ticket does with it.', calls: ticketApi },
  { name: 'orders', summary: 'What whoever registered several people does with their tickets.', calls: orderApi },
  { name: 'attendees', summary: 'What staff do with registrations.', calls: attendeeApi },
  { name: 'payments', summary: 'Card payments and refunds.', calls: paymentApi },
  { name: 'refunds', summary: 'Refunds that Stripe has refused.', calls: refundApi },
  { name: 'redemptions', summary: 'Redeeming vouchers.', calls: redemptionApi },
  { name: 'checkins', summary: 'Checking tickets in.', calls: checkinApi },
  { name: 'door', summary: 'What a phone at the door needs to work without network.', calls: doorApi },
  { name: 'paper', summary: 'Entering the ticked rows of the paper list.', calls: paperApi },
  { name: 'board', summary: 'Whether the phones at the door are ready.', calls: boardApi },
  { name: 'walkIns', summary: 'Places that phones at the door keep for people without a ticket.', calls: walkInApi },
  { name: 'statistics', summary: 'Figures of an event.', calls: statisticsApi },
  { name: 'pages', summary: 'The operator’s pages, such as the imprint.', calls: pageApi },
  { name: 'texts', summary: 'How a text will look.', calls: textApi },
  { name: 'translations', summary: 'An event’s texts in other languages.', calls: translationApi },
  { name: 'webhooks', summary: 'Webhooks, which tell a club’s programs what happens.', calls: webhookApi },
  { name: 'history', summary: 'Who changed what in a club.', calls: historyApi },
  {
    name: 'personalData',
    summary: 'What a club keeps about one person: to tell them, or to delete it.',
    calls: personalDataApi,
  },
  { name: 'platform', summary: 'How the platform is running, for the operator.', calls: platformApi },
]

/** The calls of one subject. */
export interface Feature {
  name: string
  /** One sentence for the reference page. */
  summary: string
  calls: Api
}

/** The same calls as a flat list. */
export const endpoints: readonly Endpoint[] = features.flatMap(({ calls }) => Object.values(calls))
