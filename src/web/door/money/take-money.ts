import type { ScanAnswer } from '../../../contract/door.ts'
import type { DoorWay } from '../../../contract/door-money.ts'
import * as texts from '../../../texts/generated/doorMoney.ts'
import { newId } from '../../new-id.ts'
import { askServer, askUntilAnswered } from '../phone/ask-server.ts'
import { type Door, emit, setCanPersist, setUnanswered } from '../phone/door.ts'
import { within } from '../phone/pause.ts'
import { persistList, setCheckin, setPaid } from '../phone/persist-list.ts'
import { addRecent, enqueue } from '../phone/queue.ts'
import { sendQueue } from '../phone/send-queue.ts'
import { syncUnlessAnswered } from '../phone/sync.ts'
import { isPractising } from '../practice/practice-mode.ts'
import { practiceIsOn } from '../practice/practice-verdicts.ts'
import { validWith, verdictOfAll } from '../rules/order.ts'
import type { Payment } from '../rules/queue-entry.ts'
import { notesOf, ticketOf } from '../rules/ticket-list.ts'
import { unsure, type Verdict, verdictOf } from '../rules/verdict.ts'
import { notTakenText, shownMoney } from './payment-words.ts'

/** The longest wait for the server, in ms, before the phone decides. Somebody who has paid is let in, so it is worth a little. */
const PATIENCE_MS = 1_000

/**
 * Records the money for an unpaid ticket, and lets its holder in: by the server when it answers in time, otherwise by this phone, written
 * to the disk before it is shown. Then the server gets it later, once.
 */
export async function takeMoney(door: Door, unpaid: Verdict, way: DoorWay): Promise<Verdict> {
  if (isPractising(door)) return practiceIsOn()
  const { ticketId, toTake } = unpaid
  if (ticketId === null || !toTake) return unpaid
  const payment: Payment = { way, amount: toTake.amount, currency: toTake.currency }
  // The server may have recorded a payment that it did not answer, so repeating it uses the same scanId.
  const key = `${ticketId}/${way}`
  const scanId = door.unansweredScans.get(key)?.scanId ?? newId()
  const act = { kind: 'pay' as const, registrationId: ticketId, ...payment }
  const name = unpaid.name ?? ''
  const shown = { ticketId, name, payment }
  const asked = door.connection === 'offline' ? null : askServer(door, act, scanId)
  const accept = (answer: ScanAnswer): Verdict => {
    setUnanswered(door, key, null)
    if (answer.code !== null) return refused(unpaid, answer)
    const valid = validWith(door.list, ticketId)
    for (const id of valid) setPaid(door, id)
    if (answer.checkin) setCheckin(door, ticketId, answer.checkin)
    void persistList(door, valid)
    addRecent(door, scanId, shown)
    emit(door)
    return admitted(door, unpaid, payment)
  }
  const answer = asked && (await within(PATIENCE_MS, asked))
  if (answer) return accept(answer)
  try {
    await enqueue(door, { act, scanId, shown: { ...shown, state: 'in' } })
  } catch {
    setCanPersist(door, false)
    setUnanswered(door, key, { scanId, ticketId })
    emit(door)
    // Nothing can be written to the disk here, so the server decides, however late.
    const late = asked && (await askUntilAnswered(door, act, scanId, asked))
    return late ? accept(late) : unsure(texts.cannotNote(), name)
  }
  setUnanswered(door, key, null)
  if (asked) void syncUnlessAnswered(door, asked)
  // The queue sends the same payment again, and its answer counts.
  void asked?.then(() => sendQueue(door).catch(() => {})).then(() => emit(door))
  return admitted(door, unpaid, payment)
}

/** The same for several of an order, one after the other. */
export async function takeMoneyOfAll(door: Door, unpaid: readonly Verdict[], way: DoorWay): Promise<Verdict | null> {
  const verdicts: Verdict[] = []
  for (const each of unpaid) verdicts.push(await takeMoney(door, each, way))
  const verdict = verdictOfAll(verdicts)
  const sum = unpaid.reduce(
    (total, { toTake }, at) => total + (verdicts[at]?.kind === 'in' ? (toTake?.amount ?? 0) : 0),
    0,
  )
  const [first] = unpaid
  if (!verdict || sum === 0 || !first?.toTake) return verdict
  const taken = texts.taken(shownMoney({ way, amount: sum, currency: first.toTake.currency }))
  return { ...verdict, detail: verdict.kind === 'in' ? taken : `${verdict.detail} ${taken}` }
}

function admitted(door: Door, { ticketId, name }: Verdict, payment: Payment): Verdict {
  const ticket = door.list && ticketId !== null ? ticketOf(door.list, door.localCheckins, ticketId) : null
  const notes = door.list && ticket ? notesOf(door.list, ticket) : []
  return { ...verdictOf({ code: null, ticketId, name, notes }), detail: texts.taken(shownMoney(payment)) }
}

function refused({ ticketId, name }: Verdict, { code, msg }: ScanAnswer): Verdict {
  const problem = code ?? 'NOT_FOUND'
  return { ...verdictOf({ code: problem, ticketId, name }), detail: notTakenText(problem, msg) }
}
