import type { DoorTicket, DoorVoucher, ScanAnswer } from '../../../contract/door.ts'
import { newId } from '../../new-id.ts'
import type { Purchase } from '../rules/queue-entry.ts'
import { unsure, type Verdict } from '../rules/verdict.ts'
import { unitsLeft } from '../rules/vouchers.ts'
import { askServer, askUntilAnswered } from './ask-server.ts'
import { enqueue, noteRecent } from './decide.ts'
import { type Door, emit } from './door.ts'
import { within } from './pause.ts'
import { noteVoucher, persistList } from './persist-list.ts'
import { sendQueue } from './send-queue.ts'
import { contactUnlessAnswered } from './sync.ts'

/** The server is not waited for longer than this: the list says enough. */
const PATIENCE_MS = 300

/**
 * Redeems units of a voucher: by the server when it answers in time, else by this phone's list, written down before it says so. The
 * list must have said that so much is left.
 */
export async function redeem(
  door: Door,
  ticket: DoorTicket,
  voucher: DoorVoucher,
  units: Purchase['units'],
): Promise<Verdict> {
  // Whether the server has done it or not is not known of one that it has not answered: it is asked about that one again.
  const key = `${voucher.id} ${JSON.stringify(units)}`
  const unanswered = door.unanswered.get(key)
  const left = unitsLeft(voucher, door.queue)
  const isThere = units.every(({ name, count }) => (left.find((unit) => unit.name === name)?.left ?? 0) >= count)
  if (!isThere && !unanswered) return usedUp(ticket, voucher.name)
  const purchase: Purchase = { id: voucher.id, units }
  const scanId = unanswered?.scanId ?? newId()
  const name = `${ticket.name}: ${wordsOf(units)}`
  const act = { kind: 'redeem' as const, registrationId: ticket.id, extrasPurchaseId: voucher.id, units }
  const asked = door.connection === 'offline' ? null : askServer(door, act, scanId)
  const answered = (answer: ScanAnswer) => {
    door.unanswered.delete(key)
    return take(door, ticket, voucher, units, answer)
  }
  const answer = asked && (await within(PATIENCE_MS, asked))
  if (answer) return answered(answer)
  try {
    await enqueue(door, act, scanId, { ticketId: ticket.id, name, state: 'in', purchase })
    door.unanswered.delete(key)
  } catch {
    door.canKeep = false
    door.unanswered.set(key, { scanId, ticketId: null })
    emit(door)
    // Nothing can be written down here, so the server has the word, however late.
    const late = asked && (await askUntilAnswered(door, act, scanId, asked))
    if (late) return answered(late)
    return unsure('This phone cannot write scans down, so it cannot redeem anything without network.', ticket.name)
  }
  if (asked) void contactUnlessAnswered(door, asked)
  // The same scan is sent once more by the queue, which is where its answer counts.
  void asked?.then(() => sendQueue(door).catch(() => {})).then(() => emit(door))
  return redeemed(door, ticket, voucher, units)
}

/** What the server decided: it goes on the list and among the latest. */
function take(
  door: Door,
  ticket: DoorTicket,
  voucher: DoorVoucher,
  units: Purchase['units'],
  answer: ScanAnswer,
): Verdict {
  noteVoucher(door, ticket.id, answer.extrasPurchase)
  void persistList(door, [ticket.id])
  const what = { ticketId: ticket.id, name: `${ticket.name}: ${wordsOf(units)}`, purchase: { id: voucher.id, units } }
  if (answer.code === null) noteRecent(door, answer.scanId, what)
  emit(door)
  return answer.code === null ? redeemed(door, ticket, voucher, units) : refused(ticket, voucher.name, answer)
}

function redeemed(door: Door, ticket: DoorTicket, voucher: DoorVoucher, units: Purchase['units']): Verdict {
  const current = door.list?.tickets.get(ticket.id)?.vouchers.find(({ id }) => id === voucher.id) ?? voucher
  const left = unitsLeft(current, door.queue).filter((unit) => unit.left > 0)
  const rest =
    left.length === 0 ? 'Nothing is left.' : `Left: ${left.map((unit) => `${unit.left} × ${unit.name}`).join(', ')}.`
  const detail = `${wordsOf(units)} of ${voucher.name}. ${rest}`
  return { kind: 'in', word: 'Redeemed', name: ticket.name, detail, notes: [], ticketId: ticket.id, code: null }
}

function usedUp(ticket: DoorTicket, voucherName: string): Verdict {
  const about = { name: ticket.name, notes: [], ticketId: ticket.id }
  return {
    kind: 'already',
    word: 'Used up',
    detail: `Nothing of this is left of ${voucherName}.`,
    code: 'ALREADY_REDEEMED',
    ...about,
  }
}

function refused(ticket: DoorTicket, voucherName: string, { code, msg }: ScanAnswer): Verdict {
  if (code === 'ALREADY_REDEEMED') return { ...usedUp(ticket, voucherName), detail: msg }
  return { kind: 'refused', word: 'Not valid', detail: msg, name: ticket.name, notes: [], ticketId: ticket.id, code }
}

function wordsOf(units: Purchase['units']): string {
  return units.map(({ name, count }) => `${count} × ${name}`).join(', ')
}
