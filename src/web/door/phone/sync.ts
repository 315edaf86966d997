import { doorApi } from '../../../contract/door.ts'
import { isRefused, Refusal } from '../../../contract/errors.ts'
import { call } from '../../api/call.ts'
import { CLOCK_WAS_SET_MS } from '../rules/clock.ts'
import { applyChanges } from '../rules/ticket-list.ts'
import { type Door, emit, serverNow } from './door.ts'
import { hedgedRequest, REPEAT_AFTER_MS } from './hedged-request.ts'
import { within } from './pause.ts'
import { persistList } from './persist-list.ts'
import { isExpired } from './purge.ts'
import { abortSending, sendQueue } from './send-queue.ts'
import { purgePeople } from './store.ts'

/** Between two syncs, in ms; longer while the page is hidden, and shorter without network. */
const PAUSE_MS = 3_000
const HIDDEN_PAUSE_MS = 15_000
const OFFLINE_PAUSE_MS = 1_000
/** When nothing was heard of a sync for this time, in ms, the phone decides by itself until something is. */
const OFFLINE_AFTER_MS = 4_000
/** How long nothing may be heard of one try, in ms. The whole list takes the server a while. */
const CHANGES_SILENCE_MS = 6_000
const LIST_SILENCE_MS = 20_000
/** How often the list's age is written to the disk when nothing else has changed, in ms. */
const PERSIST_EVERY_MS = 30_000

/** Syncs again and again until aborted; at once when the network returns or the page is shown again. */
export async function keepSynced(door: Door, signal: AbortSignal): Promise<void> {
  let wake = () => {}
  const syncAtOnce = () => {
    wake()
    // What was sent over the network of before may never be answered.
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
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
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
    // What was being sent when the network went may be lost with it. It is sent again without waiting for the rest of the changes.
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
  // Changes that do not come or cannot be read do not hold up the queue, nor the queue them.
  if (!door.isGone) void send(door)
}

/** Syncs at once when a question is not answered soon: the network may be gone. Meanwhile the scan is written to the disk. */
export async function syncUnlessAnswered(door: Door, asked: Promise<unknown>): Promise<void> {
  if ((await within(REPEAT_AFTER_MS, asked)) === null && !door.isGone) await syncNow(door)
}

/** Sends the queue before the changes are here, if the phone knows the server's clock without them. */
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

/** Notes that the server was heard of. */
function setOnline(door: Door): void {
  door.lastContactAt = performance.now()
  if (door.connection === 'online') return
  door.connection = 'online'
  emit(door)
}

/** Fetches the changes since this cursor and applies them; false when they do not fit the list that is here, so that all of it is needed. */
async function fetchChanges(
  door: Door,
  since: string | undefined,
  onHeard: (isRepeated: boolean) => void,
): Promise<boolean> {
  const input = { eventId: door.eventId, ...(since !== undefined && { since }) }
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
  // What the server answered for single tickets while the changes were under way is newer than the changes.
  const newer = [...door.answeredAt].flatMap(([id, at]) => (at > began ? (door.list?.tickets.get(id) ?? []) : []))
  const before = { cursor: door.list?.cursor, tickets: new Map(door.list?.tickets) }
  const applied = applyChanges(door.list, changes)
  if (!applied) return false
  // An answer may be older than these changes all the same: they are asked for once more, and then they win.
  door.repeatFrom = newer.length > 0 && !changes.isFull ? (before.cursor ?? null) : null
  const { list, changed } = applied
  door.list = list
  for (const { id, in: first, vouchers } of newer) {
    const ticket = list.tickets.get(id)
    if (ticket) list.tickets.set(id, { ...ticket, in: first, vouchers })
  }
  // A ticket became valid, or its check-in was taken back: its next scan is a new one, and none that was asked about before.
  for (const [key, { ticketId }] of door.unansweredScans)
    if (ticketId !== null && changed.includes(ticketId)) {
      const ticket = list.tickets.get(ticketId)
      const isSame = JSON.stringify(ticket) === JSON.stringify(before.tickets.get(ticketId))
      if (ticket?.in === null && !isSame) door.unansweredScans.delete(key)
    }
  door.clockOffset = changes.now.getTime() - Date.now()
  door.pageOpenedAt = Date.now() - performance.now()
  if (changed.length > 0 || changes.isFull || Date.now() - door.persistedAt > PERSIST_EVERY_MS) {
    door.persistedAt = Date.now()
    await persistList(door, changed)
  }
  return true
}

/**
 * Handles a call that failed: without network the phone goes on by itself, unless something was heard after the call was made (`began`);
 * without access nothing stays on it.
 */
export async function handleFailure(door: Door, error: unknown, began?: number): Promise<void> {
  const code = error instanceof Refusal ? error.code : null
  if (code !== 'SIGN_IN_NEEDED' && code !== 'NOT_ALLOWED' && code !== 'NOT_FOUND') {
    if (began === undefined || door.lastContactAt < began) door.connection = 'offline'
    return
  }
  // First what is shown and used, which works where nothing can be written too.
  door.isGone = true
  door.list = null
  door.recent = []
  emit(door)
  // What was not sent stays, without names and codes: whoever is signed in now may be of another club, and somebody of this one sends it.
  await purgePeople(door.eventId).catch(() => {})
}
