import { doorApi } from '../../../contract/door.ts'
import { isRefused, Refusal } from '../../../contract/errors.ts'
import { call } from '../../api/call.ts'
import { may } from '../../session/may.ts'
import { readSession } from '../../session/session.ts'
import { CLOCK_WAS_SET_MS } from '../rules/clock.ts'
import { applyChanges } from '../rules/ticket-list.ts'
import { applyQuota, walkInsNow } from '../walk-ins/apply-quota.ts'
import { type Door, emit, serverNow } from './door.ts'
import { hedgedRequest, REPEAT_AFTER_MS } from './hedged-request.ts'
import { within } from './pause.ts'
import { persistList } from './persist-list.ts'
import { isExpired } from './purge.ts'
import { abortSending, sendQueue } from './send-queue.ts'
import { purgePeople } from './store.ts'

/** The pause between two syncs, in ms; longer while the page is hidden, and shorter without network. */
const PAUSE_MS = 3_000
const HIDDEN_PAUSE_MS = 15_000
const OFFLINE_PAUSE_MS = 1_000
/** After this silence of a sync, in ms, the phone decides by itself until it hears from the server. */
const OFFLINE_AFTER_MS = 4_000
/** The longest silence of one attempt, in ms. The whole list takes the server longer. */
const CHANGES_SILENCE_MS = 6_000
const LIST_SILENCE_MS = 20_000
/** How often the list's age is written to the disk when nothing else has changed, in ms. */
const PERSIST_EVERY_MS = 30_000

/** Syncs repeatedly until aborted; at once when the network returns or the page is shown again. */
export async function keepSynced(door: Door, signal: AbortSignal): Promise<void> {
  let wake = () => {}
  const syncAtOnce = () => {
    wake()
    // Requests sent over the previous network may never be answered.
    door.request?.restart()
    abortSending(door)
    sendIfClockIsKnown(door)
  }
  const onVisible = () => document.visibilityState === 'visible' && syncAtOnce()
  const onOffline = () => {
    door.connection = 'offline'
    emit(door)
  }
  const options = { signal }
  window.addEventListener('online', syncAtOnce, options)
  window.addEventListener('offline', onOffline, options)
  document.addEventListener('visibilitychange', onVisible, options)
  signal.addEventListener('abort', () => door.request?.cancel())
  while (!signal.aborted && !door.isGone) {
    await syncNow(door)
    if (door.list && isExpired(door.list.event.endsAt, serverNow(door).getTime()))
      await purgePeople(door.eventId).catch(() => {})
    const pauseMs = document.visibilityState !== 'visible' ? HIDDEN_PAUSE_MS : pauseOf(door)
    await pauseUnlessWoken(pauseMs)
  }
  await sendRest()

  function pauseUnlessWoken(ms: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** What was scanned before a helper pass ended still counts. For others the server refuses it, and it waits for somebody of the club. */
  async function sendRest(): Promise<void> {
    while (!signal.aborted && door.queue.some(({ problem }) => problem === undefined)) {
      const failure: unknown = await sendQueue(door).catch((error: unknown) => error)
      emit(door)
      if (isRefused(failure)) return
      await pauseUnlessWoken(OFFLINE_PAUSE_MS)
    }
  }
}

function pauseOf({ connection }: Door): number {
  return connection === 'offline' ? OFFLINE_PAUSE_MS : PAUSE_MS
}

/** Fetches the list's changes and sends the queue. One sync runs at a time, and its callers share it. */
export function syncNow(door: Door): Promise<void> {
  door.syncing ??= syncOnce(door).finally(() => {
    door.syncing = null
  })
  return door.syncing
}

async function syncOnce(door: Door): Promise<void> {
  let isSending = false
  const silence = setTimeout(() => {
    door.connection = 'offline'
    emit(door)
  }, OFFLINE_AFTER_MS)
  const onHeard = (isRepeated: boolean) => {
    clearTimeout(silence)
    const wasLost = isRepeated || door.connection === 'offline'
    setOnline(door)
    if (!wasLost || isSending) return
    isSending = true
    // Scans being sent when the network failed may be lost, so they are sent again without waiting for the rest of the changes.
    abortSending(door)
    sendIfClockIsKnown(door)
  }
  sendIfClockIsKnown(door)
  try {
    const isApplied = await fetchChanges(door, door.repeatFrom ?? door.list?.cursor, onHeard)
    if (!isApplied) await fetchChanges(door, undefined, onHeard)
    door.isFresh = true
    setOnline(door)
  } catch (error) {
    door.isFresh = false
    await handleFailure(door, error)
  }
  clearTimeout(silence)
  emit(door)
  // A failure to get the changes must not hold up the queue, nor the queue the changes.
  if (!door.isGone) void send(door)
}

/** Syncs at once when a request is not answered soon, because the network may be gone. The scan is already on the disk. */
export async function syncUnlessAnswered(door: Door, asked: Promise<unknown>): Promise<void> {
  if ((await within(REPEAT_AFTER_MS, asked)) === null && !door.isGone) await syncNow(door)
}

/** Sends the queue before the changes have arrived, if the phone knows the server's clock without them. */
function sendIfClockIsKnown(door: Door): void {
  const { pageOpenedAt } = door
  const isKnown = pageOpenedAt !== null && Math.abs(Date.now() - performance.now() - pageOpenedAt) < CLOCK_WAS_SET_MS
  if (isKnown) void send(door)
}

async function send(door: Door): Promise<void> {
  const began = performance.now()
  try {
    await sendQueue(door)
  } catch (error) {
    await handleFailure(door, error, began)
    emit(door)
  }
}

/** Notes that the server was heard from. */
function setOnline(door: Door): void {
  door.lastContactAt = performance.now()
  if (door.connection === 'online') return
  door.connection = 'online'
  emit(door)
}

/** Fetches the changes since this cursor and applies them; false if they do not fit this phone's list, so that all of it is needed. */
async function fetchChanges(
  door: Door,
  since: string | undefined,
  onHeard: (isRepeated: boolean) => void,
): Promise<boolean> {
  const { eventId, device } = door
  const phone = may(readSession()?.user, 'walk-ins') ? { phone: device.id } : {}
  const input = { eventId, ...(since !== undefined && { since }), ...phone }
  const walkInsBefore = walkInsNow(door)
  const request = hedgedRequest({
    send: async (control) => {
      const began = performance.now()
      return { began, changes: await call(doorApi.getDoorList, input, { quiet: true, background: true, ...control }) }
    },
    isFinal: isRefused,
    silenceMs: since === undefined ? LIST_SILENCE_MS : CHANGES_SILENCE_MS,
    repeatAfterMs: () => (since === undefined ? null : REPEAT_AFTER_MS),
    onHeard,
  })
  door.request = request
  const { began, changes } = await request.answer.finally(() => {
    door.request = null
  })
  // The server's answers about single tickets that came while the changes were loading take precedence over the changes.
  const newer = [...door.answeredAt].flatMap(([id, at]) => {
    const known = door.list?.tickets.get(id)
    const answered = known ? { in: known.in, out: known.out, vouchers: known.vouchers } : door.unlistedAnswers.get(id)
    return at > began && answered ? [{ id, answered }] : []
  })
  const before = { cursor: door.list?.cursor, tickets: new Map(door.list?.tickets) }
  const applied = applyChanges(door.list, changes)
  if (!applied) return false
  // Such an answer may still be older than these changes, so they are fetched once more, and then they win.
  door.repeatFrom = newer.length > 0 && !changes.isFull ? (before.cursor ?? null) : null
  const { list, changed } = applied
  door.list = list
  for (const { id, answered } of newer) {
    const ticket = list.tickets.get(id)
    if (ticket) list.tickets.set(id, { ...ticket, ...answered })
  }
  door.unlistedAnswers.clear()
  // A ticket became valid, or its check-in was taken back: its next scan is a new one, not the repetition of an unanswered one.
  for (const [key, { ticketId }] of door.unansweredScans)
    if (ticketId !== null && changed.includes(ticketId)) {
      const ticket = list.tickets.get(ticketId)
      const isSame = JSON.stringify(ticket) === JSON.stringify(before.tickets.get(ticketId))
      const hasMoved = ticket?.out?.getTime() !== before.tickets.get(ticketId)?.out?.getTime()
      if (ticket && ((ticket.in === null && !isSame) || hasMoved)) door.unansweredScans.delete(key)
    }
  if (changes.walkIns) void applyQuota(door, changes.walkIns, walkInsBefore).catch(() => {})
  door.clockOffset = changes.now.getTime() - Date.now()
  door.pageOpenedAt = Date.now() - performance.now()
  if (changed.length > 0 || changes.isFull || Date.now() - door.persistedAt > PERSIST_EVERY_MS) {
    door.persistedAt = Date.now()
    await persistList(door, changed)
  }
  return true
}

/**
 * Handles a failed call: without network the phone goes on by itself, unless the server was heard from after the call was made (`began`);
 * without access the list is deleted.
 */
export async function handleFailure(door: Door, error: unknown, began?: number): Promise<void> {
  const code = error instanceof Refusal ? error.code : null
  if (code !== 'SIGN_IN_NEEDED' && code !== 'NOT_ALLOWED' && code !== 'NOT_FOUND') {
    if (began === undefined || door.lastContactAt < began) door.connection = 'offline'
    return
  }
  // First the state in memory, which works even if the disk cannot be written.
  door.isGone = true
  door.list = null
  door.recent = []
  emit(door)
  // Unsent scans stay, without names and codes: the signed-in person may be of another club, and somebody of this club sends them later.
  await purgePeople(door.eventId).catch(() => {})
}
