import type { DoorTicket, DoorVoucher, ScanAnswer } from '../../../contract/door.ts'
import * as texts from '../../../texts/generated/door.ts'
import { newId } from '../../new-id.ts'
import { isPractising } from '../practice/practice-mode.ts'
import { practiceIsOn } from '../practice/practice-verdicts.ts'
import type { Purchase } from '../rules/queue-entry.ts'
import { NO_TICKET_DETAILS, unsure, type Verdict, wordOf } from '../rules/verdict.ts'
import { unitsLeft } from '../rules/vouchers.ts'
import { askServer, askUntilAnswered } from './ask-server.ts'
import { type Door, emit, setCanPersist, setUnanswered } from './door.ts'
import { within } from './pause.ts'
import { persistList, setVoucher } from './persist-list.ts'
import { addRecent, enqueue } from './queue.ts'
import { sendQueue } from './send-queue.ts'
import { syncUnlessAnswered } from './sync.ts'

/** The longest wait for the server, in ms: the list has enough to decide. */
const PATIENCE_MS = 300

/** The units to redeem, with their voucher and ticket. */
export interface Redemption {
  ticket: DoorTicket
  voucher: DoorVoucher
  units: Purchase['units']
}

/**
 * Redeems units of a voucher: by the server when it answers in time, otherwise by this phone's list, written to the disk before it is
 * shown. The list must say that enough is left.
 */
export async function redeem(door: Door, redemption: Redemption): Promise<Verdict> {
  if (isPractising(door)) return practiceIsOn()
  const { ticket, voucher, units } = redemption
  // The server may have recorded a redemption that it did not answer, so repeating it uses the same scanId.
  const key = `${voucher.id} ${JSON.stringify(units)}`
  const unanswered = door.unansweredScans.get(key)
  if (!isLeft(door, redemption) && !unanswered) return usedUp(redemption)
  const scanId = unanswered?.scanId ?? newId()
  const act = { kind: 'redeem' as const, registrationId: ticket.id, extrasPurchaseId: voucher.id, units }
  const asked = door.connection === 'offline' ? null : askServer(door, act, scanId)
  const accept = (answer: ScanAnswer) => {
    setUnanswered(door, key, null)
    return acceptAnswer(door, redemption, answer)
  }
  const answer = asked && (await within(PATIENCE_MS, asked))
  if (answer) return accept(answer)
  try {
    await enqueue(door, { act, scanId, shown: { ...shownOf(redemption), state: 'in' } })
  } catch {
    setCanPersist(door, false)
    setUnanswered(door, key, { scanId, ticketId: null })
    emit(door)
    // Nothing can be written to the disk here, so the server decides, however late.
    const late = asked && (await askUntilAnswered(door, act, scanId, asked))
    if (late) return accept(late)
    return unsure(texts.cannotRedeem(), ticket.name)
  }
  setUnanswered(door, key, null)
  if (asked) void syncUnlessAnswered(door, asked)
  // The queue sends the same scan again, and its answer counts.
  void asked?.then(() => sendQueue(door).catch(() => {})).then(() => emit(door))
  return redeemed(door, redemption)
}

function isLeft(door: Door, { voucher, units }: Redemption): boolean {
  const left = unitsLeft(voucher, door.queue)
  return units.every(({ name, count }) => (left.find((unit) => unit.name === name)?.left ?? 0) >= count)
}

/** Applies the server's decision to the list and the latest scans. */
function acceptAnswer(door: Door, redemption: Redemption, answer: ScanAnswer): Verdict {
  const { id } = redemption.ticket
  setVoucher(door, id, answer.extrasPurchase)
  void persistList(door, [id])
  if (answer.code === null) addRecent(door, answer.scanId, shownOf(redemption))
  emit(door)
  return answer.code === null ? redeemed(door, redemption) : refused(redemption, answer)
}

/** The redemption as the latest scans show it. */
function shownOf({ ticket, voucher, units }: Redemption) {
  return { ticketId: ticket.id, name: `${ticket.name}: ${wordsOf(units)}`, purchase: { id: voucher.id, units } }
}

function redeemed(door: Door, { ticket, voucher, units }: Redemption): Verdict {
  const current = door.list?.tickets.get(ticket.id)?.vouchers.find(({ id }) => id === voucher.id) ?? voucher
  const left = unitsLeft(current, door.queue).filter((unit) => unit.left > 0)
  const about = { units: wordsOf(units), voucher: voucher.name }
  const detail =
    left.length === 0
      ? texts.redeemedNothingLeft(about)
      : texts.redeemedLeft({ ...about, left: left.map((unit) => `${unit.left} × ${unit.name}`).join(', ') })
  return {
    kind: 'in',
    word: texts.redeemed(),
    name: ticket.name,
    detail,
    ...NO_TICKET_DETAILS,
    ticketId: ticket.id,
    code: null,
  }
}

function usedUp({ ticket: { id: ticketId, name }, voucher }: Redemption): Verdict {
  const detail = texts.nothingLeftOf({ voucher: voucher.name })
  return {
    kind: 'already',
    word: texts.usedUp(),
    detail,
    name,
    ...NO_TICKET_DETAILS,
    ticketId,
    code: 'ALREADY_REDEEMED',
  }
}

function refused(redemption: Redemption, { code, msg }: ScanAnswer): Verdict {
  if (code === 'ALREADY_REDEEMED') return { ...usedUp(redemption), detail: msg }
  const { id: ticketId, name } = redemption.ticket
  return { kind: 'refused', word: wordOf(code ?? ''), detail: msg, name, ...NO_TICKET_DETAILS, ticketId, code }
}

function wordsOf(units: Purchase['units']): string {
  return units.map(({ name, count }) => `${count} × ${name}`).join(', ')
}
