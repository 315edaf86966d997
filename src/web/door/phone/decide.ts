import type { QueuedScan, ScanAnswer } from '../../../contract/door.ts'
import { readSession } from '../../api/session.ts'
import { newId } from '../../new-id.ts'
import { type Judgement, judge, judgeTicket } from '../rules/judge.ts'
import type { QueueEntry } from '../rules/queue-entry.ts'
import { notesOf, ticketOf } from '../rules/ticket-list.ts'
import { unsure, type Verdict, verdictOf } from '../rules/verdict.ts'
import { askServer, askUntilAnswered, LONGEST_WAIT_MS } from './ask-server.ts'
import { type Door, emit, markFromQueue, momentOf, serverNow } from './door.ts'
import { measure } from './measure.ts'
import { within } from './pause.ts'
import { noteIn, noteOut, noteVoucher, persistList } from './persist-list.ts'
import { sendQueue, takeAnswers } from './send-queue.ts'
import { addToQueue, type RecentScan, trimRecent, writeRecent } from './store.ts'
import { contactUnlessAnswered, syncNow } from './sync.ts'

type Act = Extract<QueuedScan['act'], { kind: 'code' | 'hand' }>

/**
 * Decides a code: by the server when it answers in time, else by this phone's list. Whoever is valid by the list is written down
 * before this says so. `onLate` hears when the server let somebody in whom the phone had not.
 */
export function decideCode(door: Door, qrCodeData: string, onLate: (verdict: Verdict) => void): Promise<Verdict> {
  const started = performance.now()
  const local = judge(qrCodeData, door.list, door.localCheckins)
  measure('door:look-up', started)
  return decide(door, { kind: 'code', qrCodeData }, local, onLate)
}

/** The same for somebody chosen from the list. */
export function decideByHand(door: Door, registrationId: number): Promise<Verdict> {
  const ticket = door.list && ticketOf(door.list, door.localCheckins, registrationId)
  const local = ticket && door.list && judgeTicket(ticket, door.list)
  return decide(door, { kind: 'hand', registrationId }, local, () => {})
}

/** What would come of a code, without letting anybody in; the news are read first when the list does not know it. */
export async function preview(door: Door, qrCodeData: string): Promise<Judgement | null> {
  const first = judge(qrCodeData, door.list, door.localCheckins)
  if (first?.verdict.kind === 'in' || first?.patienceMs === 0 || door.connection === 'offline') return first
  await within(first?.patienceMs ?? LONGEST_WAIT_MS, syncNow(door))
  return judge(qrCodeData, door.list, door.localCheckins)
}

async function decide(
  door: Door,
  act: Act,
  local: Judgement | null,
  onLate: (verdict: Verdict) => void,
): Promise<Verdict> {
  if (local?.patienceMs === 0) return local.verdict
  const key = act.kind === 'code' ? act.qrCodeData : String(act.registrationId)
  const scanId = door.unanswered.get(key)?.scanId ?? newId()
  const asked = door.connection === 'offline' ? null : askServer(door, act, scanId)
  const answer = asked && (await within(local?.patienceMs ?? LONGEST_WAIT_MS, asked))
  if (answer) {
    door.unanswered.delete(key)
    return take(door, answer)
  }
  if (local?.verdict.kind !== 'in') {
    if (asked) door.unanswered.set(key, { scanId, ticketId: local?.verdict.ticketId ?? null })
    void asked?.then((late) => {
      if (!late) return
      door.unanswered.delete(key)
      if (late.code === null) onLate(take(door, late))
    })
    return local ? byListAlone(door, local.verdict) : unsure(whyUnsure(door))
  }
  const verdict = await record(door, act, scanId, local.verdict)
  if (verdict.kind === 'unsure') door.unanswered.set(key, { scanId, ticketId: local.verdict.ticketId })
  else door.unanswered.delete(key)
  if (verdict.kind === 'unsure' && asked) {
    // Nothing can be written down here, so the server has the word, however late.
    const late = await askUntilAnswered(door, act, scanId, asked)
    if (late) {
      door.unanswered.delete(key)
      return take(door, late)
    }
    return verdict
  }
  if (asked) void contactUnlessAnswered(door, asked)
  void asked?.then(async (late) => {
    // Let in here as well as there: done. Else the queue tells the server that it was shown as valid here.
    if (late?.code === null) await takeAnswers(door, [late])
    else if (late) await sendQueue(door).catch(() => {})
    emit(door)
  })
  return verdict
}

/** A refusal that only the phone's list stands for says so. */
function byListAlone({ connection, list }: Door, verdict: Verdict): Verdict {
  if (connection === 'online' || !list || verdict.code !== 'NOT_FOUND') return verdict
  return { ...verdict, detail: 'This code is not on this phone’s list, and there is no network to ask.' }
}

function whyUnsure({ connection }: Door): string {
  return connection === 'offline'
    ? 'There is no network, and this phone has no list of the event yet.'
    : 'The server did not answer. Please try again.'
}

/** What the server decided: it goes on the list and among the latest. */
function take(door: Door, { scanId, code, registrationId, name, checkin, msg }: ScanAnswer): Verdict {
  const ticket = registrationId === null ? undefined : door.list?.tickets.get(registrationId)
  const notes = ticket && door.list ? notesOf(door.list, ticket) : []
  const first =
    checkin?.checkinTime && code !== null
      ? { at: checkin.checkinTime, by: checkin.checkedInBy ?? '', device: checkin.device }
      : null
  if (registrationId !== null && checkin) {
    noteIn(door, registrationId, checkin)
    void persistList(door, [registrationId])
  }
  if (registrationId !== null && code === null) noteRecent(door, scanId, { ticketId: registrationId, name: name ?? '' })
  emit(door)
  // Whoever has a ticket for another event is not named at this door.
  const shownName = code === 'WRONG_EVENT' ? null : name
  return verdictOf({ code, ticketId: registrationId, name: shownName, first, msg, notes }, door.list?.event)
}

/** Notes what the server has done for this phone. */
export function noteRecent(door: Door, scanId: string, what: Omit<What, 'state'>): void {
  const scan: RecentScan = { ...what, scanId, eventId: door.eventId, at: serverNow(door), state: 'in' }
  door.recent = [scan, ...door.recent].slice(0, 20)
  // Only for taking it back: what counts is with the server already.
  writeRecent(scan)
    .then(() => trimRecent(door.eventId))
    .catch(() => {})
}

/** Writes down that somebody was let in, and only then says so. */
async function record(door: Door, act: Act, scanId: string, verdict: Verdict): Promise<Verdict> {
  const { ticketId, name } = verdict
  if (ticketId === null) return verdict
  try {
    await enqueue(door, act, scanId, { ticketId, name: name ?? '', state: 'in' })
  } catch {
    door.canKeep = false
    emit(door)
    return unsure('This phone cannot write scans down, so it cannot let anybody in without network.', name)
  }
  return verdict
}

/** Takes a scan of this phone back, now or when there is network again. */
export async function takeBack(door: Door, scan: RecentScan): Promise<void> {
  const { scanId, ticketId, name, purchase } = scan
  // Said before it is written down: a second tap is none.
  if (door.recent.find((each) => each.scanId === scanId)?.state === 'undone') return
  door.recent = door.recent.map((each) => (each.scanId === scanId ? { ...each, state: 'undone' as const } : each))
  emit(door)
  const what = { ticketId, name, state: 'undone' as const, ...(purchase && { purchase }) }
  const undo = { act: { kind: 'undo' as const, scanId }, id: newId() }
  try {
    await enqueue(door, undo.act, undo.id, what, scanId)
  } catch {
    door.canKeep = false
    // Nothing can be written down here: it is taken back when the server says so, or not at all.
    const answer = door.connection === 'offline' ? null : await askServer(door, undo.act, undo.id)
    if (answer === null || answer.code !== null) {
      door.recent = door.recent.map((each) => (each.scanId === scanId ? scan : each))
      emit(door)
      throw new Error(answer?.msg ?? 'There is no network, and this phone cannot write it down.')
    }
    if (!purchase) noteOut(door, ticketId)
    else noteVoucher(door, ticketId, answer.extrasPurchase)
  }
  if (door.connection === 'online') await sendQueue(door).catch(() => {})
  emit(door)
}

type What = Pick<RecentScan, 'ticketId' | 'name' | 'state' | 'purchase'>

/** Writes down what was done here, so that it is sent; `of` is the scan it is about. */
export async function enqueue(
  door: Door,
  act: QueuedScan['act'],
  scanId: string,
  what: What,
  of = scanId,
): Promise<void> {
  const { eventId } = door
  const wasShownIn = act.kind !== 'undo'
  const by = readSession()?.user.fullName ?? ''
  const { ticketId, purchase } = what
  const about = { ticketId, ...(purchase && { purchase }) }
  const entry: QueueEntry = { eventId, scanId, act, ...about, wasShownIn, by, made: momentOf(door) }
  const known = door.recent.find((each) => each.scanId === of)
  const recent: RecentScan = { ...what, scanId: of, eventId, at: known?.at ?? serverNow(door) }
  const order = await addToQueue(entry, recent)
  door.queue.push({ ...entry, order })
  door.recent = [recent, ...door.recent.filter((each) => each !== known)].sort(
    (a, b) => b.at.getTime() - a.at.getTime(),
  )
  markFromQueue(door, what.ticketId)
  emit(door)
  trimRecent(eventId).catch(() => {})
}
