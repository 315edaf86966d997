import { visitorExtrasApi } from '../../../contract/extras.ts'
import { formApi } from '../../../contract/forms.ts'
import { visitorTicketTypeApi } from '../../../contract/ticket-type.ts'
import { query } from '../../api/query.ts'
import { queryClient } from '../../api/query-client.ts'
import { may } from '../../session/may.ts'
import { readSession } from '../../session/session.ts'
import type { Door } from '../phone/door.ts'
import { pauseUntil } from '../phone/pause.ts'
import { syncNow } from '../phone/sync.ts'
import { readWalkInForm, writeWalkInForm } from './walk-in-store.ts'
import type { WalkInForm } from './walk-ins.ts'

/** How often it is loaded again, in ms, and the pause after a failure. */
const RENEW_MS = 5 * 60_000
const RETRY_MS = 10_000

/** The queries whose answers the dialog shows. */
const queriesOf = (eventId: number) => ({
  questions: query(formApi.getFormQuestions, { eventId }),
  types: query(visitorTicketTypeApi.getTicketTypes, { eventId }),
  extras: query(visitorExtrasApi.getExtras, { eventId }),
})

/**
 * Keeps the form for people without a ticket ready, also for a scanner that is opened without network: as stored on this phone at first,
 * then as the server has it.
 */
export async function keepWalkInForm(door: Door, signal: AbortSignal): Promise<void> {
  if (!may(readSession()?.user, 'walk-ins')) return
  const stored = await readWalkInForm(door.eventId)
  if (stored) show(door.eventId, stored)
  await syncNow(door)
  while (!signal.aborted && !door.isGone) {
    const isLoaded = door.connection === 'online' && (await load(door).catch(() => false))
    await pauseUntil(isLoaded ? RENEW_MS : RETRY_MS, signal)
  }
}

/** The form as the dialog shows it, as far as it is known. */
export function shownForm(eventId: number): Partial<WalkInForm> {
  const { questions, types, extras } = queriesOf(eventId)
  const found = {
    questions: queryClient.getQueryData(questions.queryKey),
    types: queryClient.getQueryData(types.queryKey),
    extras: queryClient.getQueryData(extras.queryKey),
  }
  return {
    ...(found.questions && { questions: found.questions }),
    ...(found.types && { types: found.types }),
    ...(found.extras && { extras: found.extras }),
  }
}

/** Into the cache without limit, because it may take long until somebody comes without a ticket. */
function show(eventId: number, { questions, types, extras }: WalkInForm): void {
  const queries = queriesOf(eventId)
  for (const { queryKey } of Object.values(queries))
    queryClient.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY, staleTime: RENEW_MS })
  queryClient.setQueryData(queries.questions.queryKey, questions)
  queryClient.setQueryData(queries.types.queryKey, types)
  queryClient.setQueryData(queries.extras.queryKey, extras)
}

async function load({ eventId }: Door): Promise<boolean> {
  const queries = queriesOf(eventId)
  const [questions, types, extras] = await Promise.all([
    queryClient.fetchQuery({ ...queries.questions, staleTime: 0 }),
    queryClient.fetchQuery({ ...queries.types, staleTime: 0 }),
    queryClient.fetchQuery({ ...queries.extras, staleTime: 0 }),
  ])
  const form = { questions, types, extras }
  show(eventId, form)
  await writeWalkInForm(eventId, form)
  return true
}
