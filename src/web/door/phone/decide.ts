import type { QueuedScan, ScanAnswer } from '../../../contract/door.ts'
import * as texts from '../../../texts/generated/door.ts'
import { newId } from '../../new-id.ts'
import { isPractising } from '../practice/practice-mode.ts'
import { practiceIsOn } from '../practice/practice-verdicts.ts'
import { type Judgement, judge, judgeTicket, movementOf } from '../rules/judge.ts'
import { isFreeOfOrder, notesOf, ticketOf } from '../rules/ticket-list.ts'
import { unsure, type Verdict, verdictOf } from '../rules/verdict.ts'
import { askServer, askUntilAnswered, LONGEST_WAIT_MS } from './ask-server.ts'
import { type Door, emit, setCanPersist, setUnanswered } from './door.ts'
import { measure } from './measure.ts'
import { within } from './pause.ts'
import { persistList, setCheckin } from './persist-list.ts'
import { addRecent, enqueue } from './queue.ts'
import { applyAnswers, sendQueue } from './send-queue.ts'
import { syncNow, syncUnlessAnswered } from './sync.ts'

/** A scan that is being decided. */
interface Scan {
  act: Extract<QueuedScan['act'], { kind: 'code' | 'hand' }>
  scanId: string
  /** The scanned content, which identifies an unanswered scan when it is repeated. */
  key: string
  /** What the phone's list says. */
  local: Judgement | null
}

type OnLate = (verdict: Verdict) => void

/**
 * Decides a code: by the server when it answers in time, otherwise by this phone's list. A check-in by the list is written to the disk
 * before it is shown. `onLate` is called when the server lets somebody in after the phone has not.
 */
export function decideCode(door: Door, qrCodeData: string, onLate: OnLate): Promise<Verdict> {
  const started = performance.now()
  const { direction } = door
  const local = judge(qrCodeData, door.list, door.localCheckins, door.others, direction)
  measure('door:look-up', started)
  return decide(door, { kind: 'code', qrCodeData, ...exit(direction) }, local, onLate)
}

/** The same for somebody chosen from the list. */
export function decideByHand(door: Door, registrationId: number): Promise<Verdict> {
  const { direction } = door
  const ticket = door.list && ticketOf(door.list, door.localCheckins, registrationId)
  const local = ticket && door.list && judgeTicket(ticket, door.list, direction)
  return decide(door, { kind: 'hand', registrationId, ...exit(direction) }, local, () => {})
}

/** Only exits name their direction: a server of the version before knows no other. */
const exit = (direction: Door['direction']) => (direction === 'out' ? { direction } : {})

/** Judges a code without letting anybody in. If the list may be out of date for it, the list's changes are fetched first. */
export async function preview(door: Door, qrCodeData: string): Promise<Judgement | null> {
  const first = judge(qrCodeData, door.list, door.localCheckins, door.others, door.direction)
  if (first?.verdict.kind === 'in' || first?.patienceMs === 0 || door.connection === 'offline') return first
  await within(first?.patienceMs ?? LONGEST_WAIT_MS, syncNow(door))
  return judge(qrCodeData, door.list, door.localCheckins, door.others, door.direction)
}

async function decide(door: Door, act: Scan['act'], local: Judgement | null, onLate: OnLate): Promise<Verdict> {
  // Whatever the way here: nobody is let in while practice is on.
  if (isPractising(door)) return practiceIsOn()
  if (local?.patienceMs === 0) return local.verdict
  const key = `${act.kind === 'code' ? act.qrCodeData : act.registrationId}${act.direction ?? ''}`
  const scan: Scan = { act, key, local, scanId: door.unansweredScans.get(key)?.scanId ?? newId() }
  const asked = door.connection === 'offline' ? null : askServer(door, act, scan.scanId)
  const answer = asked && (await within(local?.patienceMs ?? LONGEST_WAIT_MS, asked))
  if (answer) return accept(door, scan, answer)
  if (local?.verdict.kind === 'in') return admitByList(door, scan, local.verdict, asked)
  if (asked) setUnanswered(door, key, { scanId: scan.scanId, ticketId: local?.verdict.ticketId ?? null })
  void asked?.then((late) => {
    if (late?.code === null) onLate(accept(door, scan, late))
    else if (late) setUnanswered(door, key, null)
  })
  return local ? byListAlone(door, local.verdict) : unsure(whyUnsure(door))
}

/** Lets in somebody whom the list shows as valid before the server has answered: written to the disk first, then shown. */
async function admitByList(
  door: Door,
  scan: Scan,
  verdict: Verdict,
  asked: Promise<ScanAnswer | null> | null,
): Promise<Verdict> {
  const { act, scanId, key } = scan
  const { ticketId, name } = verdict
  try {
    if (ticketId !== null) {
      const ticket = door.list && ticketOf(door.list, door.localCheckins, ticketId)
      const moved = movementOf(ticket ?? undefined, act.direction ?? 'in')
      await enqueue(door, { act, scanId, shown: { ticketId, name: name ?? '', state: 'in', ...(moved && { moved }) } })
    }
  } catch {
    setCanPersist(door, false)
    setUnanswered(door, key, { scanId, ticketId })
    emit(door)
    // Nothing can be written to the disk here, so the server decides, however late.
    const late = asked && (await askUntilAnswered(door, act, scanId, asked))
    if (late) return accept(door, scan, late)
    return unsure(texts.cannotLetIn(), name)
  }
  setUnanswered(door, key, null)
  if (asked) void syncUnlessAnswered(door, asked)
  void asked?.then(async (late) => {
    // If the server let them in too, it is done. If it refused, the queue reports that the scan was shown as valid.
    if (late?.code === null) await applyAnswers(door, [late])
    else if (late) await sendQueue(door).catch(() => {})
    emit(door)
  })
  return verdict
}

/** Adds to a refusal by the phone's list alone that the server was not asked. */
function byListAlone({ connection, list }: Door, verdict: Verdict): Verdict {
  if (connection === 'online' || !list || verdict.code !== 'NOT_FOUND') return verdict
  return { ...verdict, detail: texts.notOnList() }
}

function whyUnsure({ connection }: Door): string {
  return connection === 'offline' ? texts.noListNoNetwork() : texts.noAnswer()
}

/** Applies the server's decision to the list and the latest scans. */
function accept(door: Door, { act, scanId, key, local }: Scan, answer: ScanAnswer): Verdict {
  const { code, registrationId, name, checkin, msg } = answer
  setUnanswered(door, key, null)
  const ticket = registrationId === null ? undefined : door.list?.tickets.get(registrationId)
  const notes = ticket && door.list ? notesOf(door.list, ticket) : []
  const first =
    checkin?.checkinTime && code !== null
      ? { at: checkin.checkinTime, by: checkin.checkedInBy ?? '', device: checkin.device }
      : null
  if (registrationId !== null && checkin) {
    setCheckin(door, registrationId, checkin)
    void persistList(door, [registrationId])
  }
  // Whoever has moved since they were let in first comes back with it.
  const moved = act.direction === 'out' ? 'out' : checkin?.movedAt ? 'back' : undefined
  if (registrationId !== null && code === null)
    addRecent(door, scanId, { ticketId: registrationId, name: name ?? '', ...(moved && { moved }) })
  emit(door)
  // With the phone's own words, which say when the other event is.
  if (code === 'WRONG_EVENT' && local?.verdict.code === code) return local.verdict
  const waits = code === 'TICKET_UNPAID' && ticket !== undefined && isFreeOfOrder(ticket)
  // The holder of another event's ticket is not named at this door.
  const shownName = code === 'WRONG_EVENT' ? null : name
  return verdictOf(
    {
      code,
      ticketId: registrationId,
      name: shownName,
      first,
      isOut: checkin?.isOut,
      due: ticket?.due,
      waits,
      moved,
      msg,
      notes,
    },
    door.list?.event,
  )
}
