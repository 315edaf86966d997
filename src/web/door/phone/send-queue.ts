import { doorApi, MOST_SCANS, type QueuedScan, type ScanAnswer } from '../../../contract/door.ts'
import { isDecided, isRefusalCode, isRefused, Refusal } from '../../../contract/errors.ts'
import * as texts from '../../../texts/generated/door.ts'
import * as moneyTexts from '../../../texts/generated/doorMoney.ts'
import { call } from '../../api/call.ts'
import { notify } from '../../ui/notices/notify.ts'
import { notTakenText, shownMoney } from '../money/payment-words.ts'
import { validWith } from '../rules/order.ts'
import { type QueueEntry, toQueued, withoutCode } from '../rules/queue-entry.ts'
import { type Door, emit, momentOf, setQueue, setRecent, updateTicket } from './door.ts'
import { type CallControl, hedgedRequest, REPEAT_AFTER_MS } from './hedged-request.ts'
import { persistList, setCheckin, setPaid, setUnpaid, setVoucher } from './persist-list.ts'
import { removeFromQueue, replaceInQueue, writeRecent } from './store.ts'

/** After this silence, in ms, an attempt has failed: sending the same scan again gets the same answer. */
const SILENCE_MS = 15_000
/** Only small batches are repeated in parallel, and only a few times: more would overload a slow network. */
const SMALL_BATCH = 10
const MOST_REPETITIONS = 2

/** Sends the queue in order until it is empty. Scans that the server has answered are removed from it. */
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

/** Aborts the sending in progress, so that the scans can be sent again at once. */
export function abortSending(door: Door): void {
  door.sending?.abort()
  door.sending = null
}

async function sendBatch(door: Door, batch: readonly QueueEntry[], over: AbortSignal): Promise<void> {
  let repetitions = 0
  const request = hedgedRequest({
    send: (control) => {
      const now = momentOf(door)
      const scans = batch.map((entry) => toQueued(entry, now))
      return postScans(door, scans, control)
    },
    isFinal: isRefused,
    silenceMs: SILENCE_MS,
    repeatAfterMs: () => (batch.length <= SMALL_BATCH && repetitions++ < MOST_REPETITIONS ? REPEAT_AFTER_MS : null),
    onHeard: () => {},
  })
  if (over.aborted) request.cancel()
  over.addEventListener('abort', request.cancel)
  try {
    const answers = (await request.answer).answers.filter(isDecidedAnswer)
    await applyAnswers(door, answers)
    // Scans that the server could not decide stay in the queue and are sent again later.
    const decided = new Set(answers.map(({ scanId }) => scanId))
    if (batch.some(({ scanId }) => !decided.has(scanId))) throw new Refusal('UNAVAILABLE')
  } catch (error) {
    // A scan that the server cannot read must not hold up the others.
    if (!isDecided(error) || ![400, 413, 422].includes(error.status)) throw error
    // An error in the phone's own fields is not the fault of a scan.
    if (error.fields.some(({ path }) => !path.startsWith('payload.scans'))) throw error
    const [first] = batch
    if (batch.length > 1) for (const entry of batch) await sendBatch(door, [entry], over)
    else if (first) await setAside(door, first, error.message)
  }
}

/** Sends scans to the server, which decides each of them once, however often it is sent. */
export function postScans({ eventId, device: { id, name } }: Door, scans: QueuedScan[], control?: CallControl) {
  const payload = { eventId, device: { id, name }, scans }
  return call(doorApi.syncScans, { payload }, { quiet: true, background: true, ...control })
}

/**
 * Whether the server has decided a scan. If not, it was temporarily unable to, and the scan has to be sent again. What is not allowed to
 * this person, although the call is, does not become so by itself.
 */
export function isDecidedAnswer({ code }: ScanAnswer): boolean {
  return code === 'NOT_ALLOWED' || !isRefusalCode(code) || isDecided(new Refusal(code))
}

/** Whether the scan is kept for somebody to look at: it cannot be read, or somebody else has to send it. */
function isForStaff({ code }: ScanAnswer): boolean {
  return code === 'INVALID_INPUT' || code === 'INVALID_QR' || code === 'NOT_ALLOWED'
}

/** Removes answered scans from the queue, and updates the list from the answers. */
export async function applyAnswers(door: Door, answers: readonly ScanAnswer[]): Promise<void> {
  const byId = new Map(answers.map((answer) => [answer.scanId, answer]))
  const done: QueueEntry[] = []
  for (const entry of door.queue) {
    const answer = byId.get(entry.scanId)
    if (!answer) continue
    if (isForStaff(answer)) await setAside(door, entry, answer.msg)
    else {
      done.push(entry)
      applyAnswer(door, entry, answer)
    }
  }
  if (done.length === 0) return
  const ticketIds = done.map(({ ticketId }) => ticketId)
  const gone = new Set(done)
  setQueue(
    door,
    door.queue.filter((entry) => !gone.has(entry)),
    ticketIds,
  )
  // The list first: a crash between the two writes leaves a scan in both, never in neither.
  const isPersisted = await persistList(door, ticketIds)
  // Without a list, as after signing out, there is nothing to write first.
  if (isPersisted || !door.list) await removeStored(done)
}

/** The payments that the server refused: taking one back leaves the ticket as it is. */
const refusedPayments = new Set<string>()

function forgetPayment(door: Door, scanId: string): void {
  refusedPayments.add(scanId)
  const scan = door.recent.find((each) => each.scanId === scanId)
  if (!scan) return
  const { payment: _, ...rest } = scan
  setRecent(
    door,
    door.recent.map((each) => (each === scan ? rest : each)),
  )
  writeRecent(rest).catch(() => {})
}

function applyAnswer(door: Door, entry: QueueEntry, answer: ScanAnswer): void {
  const { ticketId, act, wasShownIn, purchase, payment } = entry
  const { code, checkin, name, msg } = answer
  const added = act.kind === 'walk-in' ? act.registrationData.name : null
  const shownName = name ?? added ?? texts.ticketNamed({ id: ticketId ?? '' })
  if (payment && act.kind === 'pay' && code !== null) forgetPayment(door, entry.scanId)
  if (payment && code === null) {
    if (act.kind !== 'undo') for (const id of validWith(door.list, ticketId)) setPaid(door, id)
    else if (!refusedPayments.has(act.scanId)) setUnpaid(door, ticketId, payment)
  }
  if (purchase) setVoucher(door, ticketId, answer.extrasPurchase)
  else if (checkin) setCheckin(door, ticketId, checkin)
  else if (act.kind === 'undo' && code === null) updateTicket(door, ticketId, { in: null, out: undefined })
  if (wasShownIn && code !== null && payment)
    notify('error', moneyTexts.tookBut({ name: shownName, ...shownMoney(payment), problem: notTakenText(code, msg) }))
  else if (wasShownIn && code !== null)
    notify('error', (purchase ? texts.givenOutBut : texts.letInBut)({ name: shownName, problem: msg }))
  if (act.kind === 'undo' && code === 'ILLEGAL_TRANSITION')
    notify('info', texts.notTakenBackChanged({ name: shownName }))
}

/** Removes entries from the disk. If that fails, they are sent again when the door is next opened, and get the same answers. */
async function removeStored(entries: readonly QueueEntry[]): Promise<void> {
  await removeFromQueue(entries.flatMap(({ order }) => order ?? [])).catch(() => {})
}

/** Keeps a scan that the server did not accept, for staff to review. It is not sent again by itself, so its code is removed. */
async function setAside(door: Door, entry: QueueEntry, problem: string): Promise<void> {
  await replaceEntry(door, entry, { ...withoutCode(entry), problem })
}

/** Queues a scan again that the server did not accept, as it was or corrected. */
export async function sendStuckAgain(door: Door, entry: QueueEntry, act = entry.act): Promise<void> {
  const { problem: _, ...rest } = entry
  await replaceEntry(door, entry, { ...rest, act })
  emit(door)
  await sendQueue(door)
}

async function replaceEntry(door: Door, old: QueueEntry, entry: QueueEntry): Promise<void> {
  setQueue(
    door,
    door.queue.map((each) => (each === old ? entry : each)),
    [entry.ticketId],
  )
  // If the disk cannot be written, the old entry stays and is set aside again after the next start.
  await replaceInQueue(entry).catch(() => {})
}

/** Removes a scan that the server did not accept: somebody has dealt with it. */
export async function dismissStuck(door: Door, entry: QueueEntry): Promise<void> {
  setQueue(
    door,
    door.queue.filter((each) => each !== entry),
    [entry.ticketId],
  )
  await removeStored([entry])
  emit(door)
}
