import { apiTokenApi } from '../../contract/api-tokens.ts'
import { boardApi } from '../../contract/board.ts'
import { clubFileApi } from '../../contract/club-files.ts'
import { clubMemberApi } from '../../contract/club-members.ts'
import { clubApi } from '../../contract/clubs.ts'
import { codeApi } from '../../contract/codes.ts'
import { doorApi } from '../../contract/door.ts'
import { eventApi } from '../../contract/events.ts'
import { extrasApi } from '../../contract/extras.ts'
import { formApi } from '../../contract/forms.ts'
import { historyApi } from '../../contract/history.ts'
import { passApi } from '../../contract/passes.ts'
import { platformApi } from '../../contract/platform.ts'
import { ticketTypeApi } from '../../contract/ticket-types.ts'
import { translationApi } from '../../contract/translations.ts'
import { appUserApi } from '../../contract/users.ts'
import { webhookApi } from '../../contract/webhooks.ts'
import { queryClient } from '../api/query-client.ts'
import { readSearch } from '../attendees/attendee-filters.ts'
import { attendeeList } from '../attendees/attendee-list.ts'
import { readSearch as readHistorySearch } from '../history/history-filters.ts'
import { historyList } from '../history/history-list.ts'
import { readId } from '../read-id.ts'
import { ask, type Opened } from './ask-ahead.ts'

export function sudoDashboard(): void {
  ask(clubApi.getAllClubs, {})
  ask(platformApi.getHealth, {})
}

export function platform(): void {
  ask(platformApi.getStatus, {})
  ask(platformApi.getHealth, {})
}

export function apiTokens(): void {
  ask(apiTokenApi.getTokens, {})
}

export function clubForm({ params, user }: Opened): void {
  const clubId = params.clubId ? readId(params.clubId) : user.clubId
  if (clubId === null) return
  ask(clubApi.getClub, { clubId })
  if (user.role === 'admin') ask(clubMemberApi.getMemberList, { clubId })
}

export function credentials({ params }: Opened): void {
  const clubId = readId(params.clubId)
  ask(clubApi.getClub, { clubId })
  ask(appUserApi.getAppUsers, { clubId })
}

export function team({ user: { clubId } }: Opened): void {
  if (clubId !== null) ask(appUserApi.getAppUsers, { clubId })
}

export function webhooks({ user: { clubId } }: Opened): void {
  if (clubId !== null) ask(webhookApi.getWebhooks, { clubId })
}

export function moveClub({ user: { clubId } }: Opened): void {
  if (clubId === null) return
  ask(eventApi.getAllEvents, { clubId })
  ask(clubFileApi.getImport, { clubId })
}

export function history({ user: { clubId }, search }: Opened): void {
  if (clubId === null) return
  ask(historyApi.getPeople, { clubId })
  ask(eventApi.getAllEvents, { clubId })
  queryClient.ensureInfiniteQueryData(historyList(clubId, readHistorySearch(search))).catch(() => {})
}

export function newEvent({ user: { clubId } }: Opened): void {
  if (clubId === null) return
  ask(clubApi.getClub, { clubId })
  ask(eventApi.getAllEvents, { clubId })
}

export function eventHome({ params, user: { clubId } }: Opened): void {
  ask(eventApi.getEvent, { eventId: readId(params.eventId) })
  if (clubId !== null) ask(clubApi.getNeeds, { clubId })
}

export function event({ params }: Opened): void {
  ask(eventApi.getEvent, { eventId: readId(params.eventId) })
}

export function eventSettings({ params, user: { clubId } }: Opened): void {
  const eventId = readId(params.eventId)
  ask(eventApi.getEvent, { eventId })
  ask(ticketTypeApi.getTicketTypes, { eventId })
  if (clubId !== null) ask(clubApi.getClub, { clubId })
}

export function formBuilder({ params }: Opened): void {
  const eventId = readId(params.eventId)
  ask(eventApi.getEvent, { eventId })
  ask(formApi.getFormQuestions, { eventId })
  ask(ticketTypeApi.getTicketTypes, { eventId })
}

export function ticketTypes({ params }: Opened): void {
  const eventId = readId(params.eventId)
  ask(eventApi.getEvent, { eventId })
  ask(ticketTypeApi.getTicketTypes, { eventId })
  ask(codeApi.getCodes, { eventId })
}

export function vouchers({ params }: Opened): void {
  const eventId = readId(params.eventId)
  ask(eventApi.getEvent, { eventId })
  ask(extrasApi.getExtras, { eventId })
}

export function translations({ params, user: { clubId } }: Opened): void {
  const eventId = readId(params.eventId)
  ask(eventApi.getEvent, { eventId })
  if (clubId !== null) ask(clubApi.getClub, { clubId })
  ask(formApi.getFormQuestions, { eventId })
  ask(extrasApi.getExtras, { eventId })
  ask(translationApi.getTranslations, { eventId })
}

export function helpers({ params }: Opened): void {
  const eventId = readId(params.eventId)
  ask(eventApi.getEvent, { eventId })
  ask(passApi.getPasses, { eventId })
  ask(boardApi.getBoard, { eventId })
}

export function attendees({ params, search }: Opened): void {
  const eventId = readId(params.eventId)
  ask(eventApi.getEvent, { eventId })
  ask(doorApi.getConflicts, { eventId })
  ask(formApi.getFormQuestions, { eventId })
  queryClient.ensureInfiniteQueryData(attendeeList(eventId, readSearch(search))).catch(() => {})
}
