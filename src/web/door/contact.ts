import { doorApi } from '../../contract/door.ts'
import { isRefused, Refusal } from '../../contract/errors.ts'
import { call } from '../api/call.ts'
import { type Door, serverNow, tell } from './door.ts'
import { forgetPeople } from './door-store.ts'
import { isPast } from './forget.ts'
import { keep } from './keep-list.ts'
import { look } from './look.ts'
import { CLOCK_WAS_SET_MS } from './queue-entry.ts'
import { giveUpSending, sendQueue } from './send-queue.ts'
import { takeNews } from './ticket-list.ts'

/** Between two looks for news, in ms; less often when nobody looks at the page, and sooner without network. */
const PAUSE_MS = 3_000
const HIDDEN_PAUSE_MS = 15_000
const OFFLINE_PAUSE_MS = 1_000
/** When nothing was heard of a look for so long, the phone decides by itself until something is. */
const OFFLINE_AFTER_MS = 4_000
/** And another is begun beside it: without network sooner, so that a dead spot costs no more than this after it. */
const AGAIN_MS = 3_000
const OFFLINE_AGAIN_MS = 1_500
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
    door.link = 'offline'
    tell(door)
  }
  const options = { signal }
  window.addEventListener('online', again, options)
  window.addEventListener('offline', cut, options)
  document.addEventListener('visibilitychange', seen, options)
  signal.addEventListener('abort', () => door.looking?.stop())
  while (!signal.aborted && !door.isGone) {
    await contact(door)
    if (door.list && isPast(door.list.event.endsAt, serverNow(door).getTime()))
      await forgetPeople(door.eventId).catch(() => {})
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

function pauseOf({ link }: Door): number {
  return link === 'offline' ? OFFLINE_PAUSE_MS : PAUSE_MS
}

/** Reads the news and sends what waits. One at a time, whoever asks for it. */
export function contact(door: Door): Promise<void> {
  door.contacting ??= contactNow(door).finally(() => {
    door.contacting = null
  })
  return door.contacting
}

async function contactNow(door: Door): Promise<void> {
  const silence = setTimeout(() => {
    door.link = 'offline'
    tell(door)
  }, OFFLINE_AFTER_MS)
  const onHeard = () => {
    clearTimeout(silence)
    // What was being sent when the network went may be lost with it.
    if (door.link === 'offline') giveUpSending(door)
    reached(door)
  }
  sendBeside(door)
  try {
    if (!(await readNews(door, door.list?.cursor, onHeard))) await readNews(door, undefined, onHeard)
    door.isFresh = true
    reached(door)
  } catch (error) {
    door.isFresh = false
    await lose(door, error)
  }
  clearTimeout(silence)
  tell(door)
  // News that do not come, or cannot be read, hold up nothing that was done here; nor does it hold them up.
  if (!door.isGone) void send(door)
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
    await lose(door, error, began)
    tell(door)
  }
}

/** The server can be reached. */
export function reached(door: Door): void {
  door.heardAt = performance.now()
  if (door.link === 'online') return
  door.link = 'online'
  tell(door)
}

/** Takes the news in; false when they do not fit the list that is here, so that it is needed whole. */
async function readNews(door: Door, since: string | undefined, onHeard: () => void): Promise<boolean> {
  const input = { eventId: door.eventId, ...(since !== undefined && { since }) }
  const looking = look({
    ask: async (how) => {
      const began = performance.now()
      return { began, news: await call(doorApi.getDoorList, input, { quiet: true, background: true, ...how }) }
    },
    isFinal: isRefused,
    silenceMs: since === undefined ? LIST_SILENCE_MS : NEWS_SILENCE_MS,
    againMs: () => (since === undefined ? null : door.link === 'offline' ? OFFLINE_AGAIN_MS : AGAIN_MS),
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
    await keep(door, taken.changed)
  }
  return true
}

/**
 * What to do after a call that failed: without network the phone goes on by itself, unless something was heard after the call was made
 * (`began`); without access nothing stays on it.
 */
export async function lose(door: Door, error: unknown, began?: number): Promise<void> {
  const code = error instanceof Refusal ? error.code : null
  if (code !== 'SIGN_IN_NEEDED' && code !== 'NOT_ALLOWED' && code !== 'NOT_FOUND') {
    if (began === undefined || door.heardAt < began) door.link = 'offline'
    return
  }
  // First what is seen and used: that goes also where nothing can be written.
  door.isGone = true
  door.list = null
  door.recent = []
  tell(door)
  // Without people and codes. What was not sent waits for somebody who may send it: whoever is signed in now may be another club's.
  await forgetPeople(door.eventId).catch(() => {})
}
