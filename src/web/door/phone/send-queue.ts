import { doorApi, MOST_SCANS, type ScanAnswer } from '../../../contract/door.ts'
import { isDecided, isRefused } from '../../../contract/errors.ts'
import { call } from '../../api/call.ts'
import { notify } from '../../ui/notices/notify.ts'
import { type QueueEntry, toQueued, withoutCode } from '../rules/queue-entry.ts'
import { type Door, emit, markFromQueue, momentOf } from './door.ts'
import { AGAIN_MS, look } from './long-poll.ts'
import { noteIn, noteVoucher, persistList } from './persist-list.ts'
import { removeFromQueue, replaceInQueue } from './store.ts'

/** What was sent and of which nothing is heard for so long, in ms, is sent again: the same scan gets the same answer. */
const SILENCE_MS = 15_000

/** So few scans are soon sent once more beside that, so often; more would only crowd a slow network. */
const FEW = 10
const MOST_BESIDE = 2

/** Sends what waits, in its order, until nothing does. What the server has answered is forgotten. */
export async function sendQueue(door: Door): Promise<void> {
  if (door.sending) return
  const mine = new AbortController()
  door.sending = mine
  try {
    for (;;) {
      const batch = door.queue.filter(({ problem }) => problem === undefined).slice(0, MOST_SCANS)
      if (batch.length === 0 || mine.signal.aborted) return
      await sendBatch(door, batch, mine.signal)
      emit(door)
    }
  } catch (error) {
    if (!mine.signal.aborted) throw error
  } finally {
    if (door.sending === mine) door.sending = null
  }
}

/** Gives up what is being sent, so that it can be sent anew at once. */
export function giveUpSending(door: Door): void {
  door.sending?.abort()
  door.sending = null
}

async function sendBatch(door: Door, batch: readonly QueueEntry[], over: AbortSignal): Promise<void> {
  let beside = 0
  const sending = look({
    ask: (how) => {
      const { eventId, device } = door
      const now = momentOf(door)
      const scans = batch.map((entry) => toQueued(entry, now))
      const payload = { eventId, device: { id: device.id, name: device.name }, scans }
      return call(doorApi.syncScans, { payload }, { quiet: true, background: true, ...how })
    },
    isFinal: isRefused,
    silenceMs: SILENCE_MS,
    againMs: () => (batch.length <= FEW && beside++ < MOST_BESIDE ? AGAIN_MS : null),
    onHeard: () => {},
  })
  if (over.aborted) sending.stop()
  over.addEventListener('abort', sending.stop)
  try {
    const { answers } = await sending.answer
    await takeAnswers(door, answers)
  } catch (error) {
    // One that the server cannot read at all must not hold up the others.
    if (!isDecided(error) || ![400, 413, 422].includes(error.status)) throw error
    // What is wrong with the phone itself is wrong with no scan.
    if (error.fields.some(({ path }) => !path.startsWith('payload.scans'))) throw error
    const [first] = batch
    if (batch.length > 1) for (const entry of batch) await sendBatch(door, [entry], over)
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
  for (const { ticketId } of done) markFromQueue(door, ticketId)
  // The list first: between the two writes a scan may be known twice, never not at all.
  const isKept = await persistList(
    door,
    done.map(({ ticketId }) => ticketId),
  )
  // Without a list, as after a sign-out, there is nothing to be kept first.
  if (isKept || !door.list) await forget(done)
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

/** Takes entries off the disk. Where that fails they are sent once more when the door is opened again, and get the same answers. */
async function forget(entries: readonly QueueEntry[]): Promise<void> {
  await removeFromQueue(entries.flatMap(({ order }) => order ?? [])).catch(() => {})
}

/** Keeps what the server would not take, to be looked at; it is not sent again by itself. The ticket's code is not needed for that. */
async function setAside(door: Door, entry: QueueEntry, problem: string): Promise<void> {
  await change(door, entry, { ...withoutCode(entry), problem })
}

/** Sends once more what the server would not take. */
export async function trySendingAgain(door: Door, entry: QueueEntry): Promise<void> {
  const { problem: _, ...rest } = entry
  await change(door, entry, rest)
  emit(door)
  await sendQueue(door)
}

async function change(door: Door, old: QueueEntry, entry: QueueEntry): Promise<void> {
  door.queue = door.queue.map((each) => (each === old ? entry : each))
  markFromQueue(door, entry.ticketId)
  // What cannot be written down stays as it was, and is found out again.
  await replaceInQueue(entry).catch(() => {})
}

/** Forgets what the server would not take: somebody has seen to it. */
export async function settleByHand(door: Door, entry: QueueEntry): Promise<void> {
  door.queue = door.queue.filter((each) => each !== entry)
  await forget([entry])
  emit(door)
}
