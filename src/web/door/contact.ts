import { doorApi, MOST_SCANS, type ScanAnswer } from '../../contract/door.ts'
import { Refusal } from '../../contract/errors.ts'
import { call } from '../api/call.ts'
import { notify } from '../ui/notify.ts'
import { type Door, markFrom, momentOf, serverNow, tell } from './door.ts'
import { forgetPeople, removeFromQueue, replaceInQueue, writeList } from './door-store.ts'
import { isPast } from './forget.ts'
import { type QueueEntry, toQueued } from './queue-entry.ts'
import { takeNews } from './ticket-list.ts'

/** Between two looks for news, in ms; less often when nobody looks at the page. */
const PAUSE_MS = 3_000
const HIDDEN_PAUSE_MS = 15_000
/** News are small and the whole list is not. */
const NEWS_TIMEOUT_MS = 8_000
const LIST_TIMEOUT_MS = 60_000
/** How often the list's age is written down when nothing else has changed. */
const KEEP_EVERY_MS = 30_000

/** Looks for news and sends what waits, again and again until aborted; at once when the network returns or the page is looked at. */
export async function keepFresh(door: Door, signal: AbortSignal): Promise<void> {
  let wake = () => {}
  const again = () => wake()
  const cut = () => {
    door.link = 'offline'
    tell(door)
  }
  const options = { signal }
  window.addEventListener('online', again, options)
  window.addEventListener('offline', cut, options)
  document.addEventListener('visibilitychange', again, options)
  while (!signal.aborted && !door.isGone) {
    await contact(door)
    if (door.list && isPast(door.list.event.endsAt, serverNow(door).getTime())) await forgetPeople(door.eventId)
    const pause = document.visibilityState === 'visible' ? PAUSE_MS : HIDDEN_PAUSE_MS
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Reads the news, then sends what waits: after the news the phone knows the server's clock. One at a time, whoever asks for it. */
export function contact(door: Door): Promise<void> {
  door.contacting ??= contactNow(door).finally(() => {
    door.contacting = null
  })
  return door.contacting
}

async function contactNow(door: Door): Promise<void> {
  try {
    if (!(await readNews(door, door.list?.cursor))) await readNews(door, undefined)
    door.hasMissedNews = false
    door.link = 'online'
  } catch (error) {
    door.hasMissedNews = true
    await lose(door, error)
  }
  // News that do not come, or cannot be read, hold up nothing that was done here.
  if (!door.isGone)
    try {
      await sendQueue(door)
    } catch (error) {
      await lose(door, error)
    }
  tell(door)
}

/** Takes the news in; false when they do not fit the list that is here, so that it is needed whole. */
async function readNews(door: Door, since: string | undefined): Promise<boolean> {
  const timeoutMs = since === undefined || door.hasMissedNews ? LIST_TIMEOUT_MS : NEWS_TIMEOUT_MS
  const began = performance.now()
  const input = { eventId: door.eventId, ...(since !== undefined && { since }) }
  const news = await call(doorApi.getDoorList, input, { quiet: true, background: true, timeoutMs })
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
  if (taken.changed.length > 0 || news.isFull || Date.now() - door.keptAt > KEEP_EVERY_MS) {
    door.keptAt = Date.now()
    await keep(door, taken.changed)
  }
  return true
}

/** Writes the list down, unless the event is long over. What could not be written is written with the next. Answers whether it is. */
export async function keep(door: Door, changed: readonly number[]): Promise<boolean> {
  if (!door.list) return false
  if (isPast(door.list.event.endsAt, serverNow(door).getTime())) return true
  const wanted = [...door.unwritten, ...changed]
  for (const id of changed) door.unwritten.add(id)
  try {
    await writeList(door.list, wanted, door.ahead)
    for (const id of wanted) door.unwritten.delete(id)
    door.canKeep = true
  } catch {
    door.canKeep = false
  }
  return door.canKeep
}

/** Sends what waits, in its order, until nothing does. What the server has answered is forgotten. */
export async function sendQueue(door: Door): Promise<void> {
  if (door.isSending) return
  door.isSending = true
  try {
    for (;;) {
      const batch = door.queue.filter(({ problem }) => problem === undefined).slice(0, MOST_SCANS)
      if (batch.length === 0) return
      await sendBatch(door, batch)
      tell(door)
    }
  } finally {
    door.isSending = false
  }
}

async function sendBatch(door: Door, batch: readonly QueueEntry[]): Promise<void> {
  const now = momentOf(door)
  const { id, name } = door.device
  const payload = { eventId: door.eventId, device: { id, name }, scans: batch.map((entry) => toQueued(entry, now)) }
  try {
    const { answers } = await call(doorApi.syncScans, { payload }, { quiet: true, background: true })
    await takeAnswers(door, answers)
  } catch (error) {
    // One that the server cannot read at all must not hold up the others.
    if (!(error instanceof Refusal) || ![400, 413, 422].includes(error.status)) throw error
    // What is wrong with the phone itself is wrong with no scan.
    if (error.fields.some(({ path }) => !path.startsWith('payload.scans'))) throw error
    const [first] = batch
    if (batch.length > 1) for (const entry of batch) await sendBatch(door, [entry])
    else if (first) await setAside(door, first, error.message)
  }
}

/** What the server said of each: it leaves the queue, and the list says what the server says. */
export async function takeAnswers(door: Door, answers: readonly ScanAnswer[]): Promise<void> {
  const byId = new Map(answers.map((answer) => [answer.scanId, answer]))
  const done: QueueEntry[] = []
  for (const entry of door.queue) {
    const answer = byId.get(entry.scanId)
    if (!answer) continue
    if (answer.code === 'INVALID_INPUT' || answer.code === 'INVALID_QR') await setAside(door, entry, answer.msg)
    else {
      done.push(entry)
      settle(door, entry, answer)
    }
  }
  if (done.length === 0) return
  const gone = new Set(done)
  door.queue = door.queue.filter((entry) => !gone.has(entry))
  for (const { ticketId } of done) markFrom(door, ticketId)
  // The list first: between the two writes a scan may be known twice, never not at all.
  const isKept = await keep(
    door,
    done.map(({ ticketId }) => ticketId),
  )
  if (isKept) await removeFromQueue(done.flatMap(({ order }) => order ?? []))
}

function settle(door: Door, entry: QueueEntry, answer: ScanAnswer): void {
  const { ticketId, act, wasShownIn, purchase } = entry
  const { code, checkin, name, msg } = answer
  const ticket = door.list?.tickets.get(ticketId)
  if (purchase) noteVoucher(door, ticketId, answer.extrasPurchase)
  else if (ticket && act.kind === 'undo' && code === null && !checkin)
    door.list?.tickets.set(ticketId, { ...ticket, in: null })
  else if (checkin) noteIn(door, ticketId, checkin)
  if (wasShownIn && code !== null)
    notify('error', `${name ?? `Ticket ${ticketId}`} was ${purchase ? 'given it' : 'let in'} here, but: ${msg}`)
  if (act.kind === 'undo' && code === 'ILLEGAL_TRANSITION')
    notify('info', `${name ?? `Ticket ${ticketId}`} was not taken back: somebody has changed it since.`)
}

/** Notes a check-in of the server in the list that is here. */
export function noteIn(door: Door, ticketId: number, checkin: NonNullable<ScanAnswer['checkin']>): void {
  const ticket = door.list?.tickets.get(ticketId)
  const { checkinTime, checkedInBy, device, status } = checkin
  if (!ticket) return
  const first = status && checkinTime ? { at: checkinTime, by: checkedInBy ?? '', device } : null
  door.answered.set(ticketId, performance.now())
  door.list?.tickets.set(ticketId, { ...ticket, in: first })
}

/** Notes a voucher in the list that is here, as the server has it. */
export function noteVoucher(door: Door, ticketId: number, purchase: ScanAnswer['extrasPurchase']): void {
  const ticket = door.list?.tickets.get(ticketId)
  if (!ticket || !purchase) return
  const vouchers = ticket.vouchers.map((voucher) =>
    voucher.id === purchase.id ? { ...voucher, units: purchase.content } : voucher,
  )
  door.answered.set(ticketId, performance.now())
  door.list?.tickets.set(ticketId, { ...ticket, vouchers })
}

/** Keeps what the server would not take, to be looked at; it is not sent again. */
async function setAside(door: Door, entry: QueueEntry, problem: string): Promise<void> {
  entry.problem = problem
  await replaceInQueue(entry)
  markFrom(door, entry.ticketId)
}

/** What to do after a call that failed: without network the phone goes on by itself; without access nothing stays on it. */
export async function lose(door: Door, error: unknown): Promise<void> {
  const code = error instanceof Refusal ? error.code : null
  // Without people and codes. What was not sent waits for somebody who may send it: whoever is signed in now may be another club's.
  if (code === 'SIGN_IN_NEEDED' || code === 'NOT_ALLOWED' || code === 'NOT_FOUND') await forgetPeople(door.eventId)
  else {
    door.link = 'offline'
    return
  }
  door.isGone = true
  door.list = null
  door.recent = []
}
