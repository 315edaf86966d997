import { doorApi } from '../../../contract/door.ts'
import { isRefused, Refusal } from '../../../contract/errors.ts'
import { call } from '../../api/call.ts'
import { CLOCK_WAS_SET_MS } from '../rules/queue-entry.ts'
import { takeNews } from '../rules/ticket-list.ts'
import { type Door, emit, serverNow } from './door.ts'
import { AGAIN_MS, look } from './long-poll.ts'
import { persistList } from './persist-list.ts'
import { isPast } from './purge.ts'
import { giveUpSending, sendQueue } from './send-queue.ts'
import { purgePeople } from './store.ts'

/** Between two looks for news, in ms; less often when nobody looks at the page, and sooner without network. */
const PAUSE_MS = 3_000
const HIDDEN_PAUSE_MS = 15_000
const OFFLINE_PAUSE_MS = 1_000
/** When nothing was heard of a look for so long, the phone decides by itself until something is. */
const OFFLINE_AFTER_MS = 4_000
/** So long nothing may be heard of one try. The whole list takes the server a while. */
const NEWS_SILENCE_MS = 6_000
const LIST_SILENCE_MS = 20_000
/** How often the list's age is written down when nothing else has changed. */
const KEEP_EVERY_MS = 30_000

/** Looks for news and sends what waits, again and again until aborted; at once when the network returns or the page is looked at. */
export async function keepFresh(door: Door, signal: AbortSignal): Promise<void> {
  let wake = () => {}
  const again = () => {
    wake()
    // What was asked of the network that was before may never be answered.
    door.looking?.anew()
    giveUpSending(door)
    sendBeside(door)
  }
  const seen = () => document.visibilityState === 'visible' && again()
  const cut = () => {
    door.connection = 'offline'
    emit(door)
  }
  const options = { signal }
  window.addEventListener('online', again, options)
  window.addEventListener('offline', cut, options)
  document.addEventListener('visibilitychange', seen, options)
  signal.addEventListener('abort', () => door.looking?.stop())
  while (!signal.aborted && !door.isGone) {
    await syncNow(door)
    if (door.list && isPast(door.list.event.endsAt, serverNow(door).getTime()))
      await purgePeople(door.eventId).catch(() => {})
    const pause = document.visibilityState !== 'visible' ? HIDDEN_PAUSE_MS : pauseOf(door)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause)
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

/** Reads the news and sends what waits. One at a time, whoever asks for it. */
export function syncNow(door: Door): Promise<void> {
  door.syncing ??= contactNow(door).finally(() => {
    door.syncing = null
  })
  return door.syncing
}

async function contactNow(door: Door): Promise<void> {
  let isSending = false
  const silence = setTimeout(() => {
    door.connection = 'offline'
    emit(door)
  }, OFFLINE_AFTER_MS)
  const onHeard = (isLater: boolean) => {
    clearTimeout(silence)
    const wasLost = isLater || door.connection === 'offline'
    reached(door)
    if (!wasLost || isSending) return
    isSending = true
    // What was being sent when the network went may be lost with it. It need not wait until the news are read to their end, either.
    giveUpSending(door)
    sendBeside(door)
  }
  sendBeside(door)
  try {
    if (!(await readNews(door, door.list?.cursor, onHeard))) await readNews(door, undefined, onHeard)
    door.isFresh = true
    reached(door)
  } catch (error) {
    door.isFresh = false
    await handleFailure(door, error)
  }
  clearTimeout(silence)
  emit(door)
  // News that do not come, or cannot be read, hold up nothing that was done here; nor does it hold them up.
  if (!door.isGone) void send(door)
}

/** A scan was asked about, and is written down meanwhile: when nothing is heard of it, the network is looked after at once. */
export async function contactUnlessAnswered(door: Door, asked: Promise<unknown>): Promise<void> {
  const late = new Promise((resolve) => setTimeout(() => resolve(null), AGAIN_MS))
  if ((await Promise.race([asked, late])) === null && !door.isGone) await syncNow(door)
}

/** Sends what waits before the news are here, if the phone knows the server's clock without them. */
function sendBeside(door: Door): void {
  const { clockHeard } = door
  const isSure = clockHeard !== null && Math.abs(Date.now() - performance.now() - clockHeard) < CLOCK_WAS_SET_MS
  if (isSure) void send(door)
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

/** The server can be reached. */
function reached(door: Door): void {
  door.lastContactAt = performance.now()
  if (door.connection === 'online') return
  door.connection = 'online'
  emit(door)
}

/** Takes the news in; false when they do not fit the list that is here, so that it is needed whole. */
async function readNews(door: Door, since: string | undefined, onHeard: (isLater: boolean) => void): Promise<boolean> {
  const input = { eventId: door.eventId, ...(since !== undefined && { since }) }
  const looking = look({
    ask: async (how) => {
      const began = performance.now()
      return { began, news: await call(doorApi.getDoorList, input, { quiet: true, background: true, ...how }) }
    },
    isFinal: isRefused,
    silenceMs: since === undefined ? LIST_SILENCE_MS : NEWS_SILENCE_MS,
    againMs: () => (since === undefined ? null : AGAIN_MS),
    onHeard,
  })
  door.looking = looking
  const { began, news } = await looking.answer.finally(() => {
    door.looking = null
  })
  // What the server answered while these news were on their way is newer than they are.
  const newer = [...door.answered].flatMap(([id, at]) => (at > began ? (door.list?.tickets.get(id) ?? []) : []))
  const taken = takeNews(door.list, news)
  if (!taken) return false
  door.list = taken.list
  for (const { id, in: isIn, vouchers } of newer) {
    const ticket = taken.list.tickets.get(id)
    if (ticket) taken.list.tickets.set(id, { ...ticket, in: isIn, vouchers })
  }
  // A ticket that has become valid since, or not in any more: what was asked of it before is another scan.
  for (const [key, { ticketId }] of door.unanswered)
    if (ticketId !== null && taken.changed.includes(ticketId) && taken.list.tickets.get(ticketId)?.in === null)
      door.unanswered.delete(key)
  door.ahead = news.now.getTime() - Date.now()
  door.clockHeard = Date.now() - performance.now()
  if (taken.changed.length > 0 || news.isFull || Date.now() - door.keptAt > KEEP_EVERY_MS) {
    door.keptAt = Date.now()
    await persistList(door, taken.changed)
  }
  return true
}

/**
 * What to do after a call that failed: without network the phone goes on by itself, unless something was heard after the call was made
 * (`began`); without access nothing stays on it.
 */
export async function handleFailure(door: Door, error: unknown, began?: number): Promise<void> {
  const code = error instanceof Refusal ? error.code : null
  if (code !== 'SIGN_IN_NEEDED' && code !== 'NOT_ALLOWED' && code !== 'NOT_FOUND') {
    if (began === undefined || door.lastContactAt < began) door.connection = 'offline'
    return
  }
  // First what is seen and used: that goes also where nothing can be written.
  door.isGone = true
  door.list = null
  door.recent = []
  emit(door)
  // Without people and codes. What was not sent waits for somebody who may send it: whoever is signed in now may be another club's.
  await purgePeople(door.eventId).catch(() => {})
}
