import { type DoorTicket, type DoorVoucher, doorApi, type ScanAnswer } from '../../contract/door.ts'
import { Refusal } from '../../contract/errors.ts'
import { call } from '../api/call.ts'
import { keep, noteVoucher, sendQueue } from './contact.ts'
import { enqueue, noteRecent, pause } from './decide.ts'
import { type Door, tell } from './door.ts'
import { newScanId } from './new-scan-id.ts'
import type { Purchase } from './queue-entry.ts'
import { unsure, type Verdict } from './verdict.ts'
import { unitsLeft } from './vouchers.ts'

/** The server is not waited for longer than this: the list says enough. */
const PATIENCE_MS = 300
/** Unless this phone cannot write anything down. */
const LONG_PATIENCE_MS = 20_000

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
  const left = unitsLeft(voucher, door.queue)
  const isThere = units.every(({ name, count }) => (left.find((unit) => unit.name === name)?.left ?? 0) >= count)
  if (!isThere) return usedUp(ticket, voucher.name)
  const purchase: Purchase = { id: voucher.id, units }
  const scanId = newScanId()
  const name = `${ticket.name}: ${wordsOf(units)}`
  const asked = door.link === 'offline' ? null : ask(door, scanId, ticket.id, purchase)
  const answer = asked && (await Promise.race([asked, pause(PATIENCE_MS)]))
  if (answer) return take(door, ticket, voucher, units, answer)
  try {
    const act = { kind: 'redeem' as const, registrationId: ticket.id, extrasPurchaseId: voucher.id, units }
    await enqueue(door, act, scanId, { ticketId: ticket.id, name, state: 'in', purchase })
  } catch {
    door.canKeep = false
    tell(door)
    // Nothing can be written down here, so the server has the word, however late.
    const late = asked && (await Promise.race([asked, pause(LONG_PATIENCE_MS)]))
    if (late) return take(door, ticket, voucher, units, late)
    return unsure('This phone cannot write scans down, so it cannot redeem anything without network.', ticket.name)
  }
  // The same scan is sent once more by the queue, which is where its answer counts.
  void asked?.then(() => sendQueue(door).catch(() => {})).then(() => tell(door))
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
  void keep(door, [ticket.id])
  const what = { ticketId: ticket.id, name: `${ticket.name}: ${wordsOf(units)}`, purchase: { id: voucher.id, units } }
  if (answer.code === null) noteRecent(door, answer.scanId, what)
  tell(door)
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

/** Asks the server; null when it could not say. */
async function ask(
  door: Door,
  scanId: string,
  registrationId: number,
  { id, units }: Purchase,
): Promise<ScanAnswer | null> {
  const { eventId, device } = door
  const act = { kind: 'redeem' as const, registrationId, extrasPurchaseId: id, units }
  const scans = [{ scanId, act, agoMs: 0, wasShownIn: false }]
  const payload = { eventId, device: { id: device.id, name: device.name }, scans }
  try {
    return (await call(doorApi.syncScans, { payload }, { quiet: true, background: true })).answers[0] ?? null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    door.link = 'offline'
    tell(door)
    return null
  }
}
