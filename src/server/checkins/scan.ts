import type { Checkin, checkinApi } from '../../contract/checkins.ts'
import type { Input } from '../../contract/endpoint.ts'
import { isRefusalCode, Refusal } from '../../contract/errors.ts'
import type { Registration } from '../../contract/registrations.ts'
import { readQr } from '../../contract/values/ticket-codes.ts'
import * as texts from '../../texts/generated/api.ts'
import * as refusalTexts from '../../texts/generated/refusals.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Deps } from '../deps.ts'
import { toRegistration } from '../records/registration-queries.ts'
import { isVoucher } from '../scans/codes.ts'
import { currentCode } from '../scans/moved-codes.ts'
import { checkinOf } from '../scans/outcome.ts'
import { decideTogether } from '../scans/runs.ts'
import { hashOf } from '../tokens.ts'
import { alreadyIn } from './already-in.ts'
import { type Decided, decideScans, type Received, type Scan } from './decide-scans.ts'

type Payload = Input<typeof checkinApi.scanByRegistrationId>['payload']
type Answer = { registration: Registration; checkin: Checkin }

/** Decides one scan. */
export type Decide = (scan: Scan) => Promise<Decided>

/** Decides scans; those that wait at the same moment share a transaction, each with its own outcome. */
export function makeDecide({ db, now }: Deps): Decide {
  const decide = decideTogether<Received, Decided | Refusal>(
    (scans) => db.transaction().execute((tx) => decideScans(tx, scans, now())),
    keysOf,
  )
  return async (scan) => {
    const receivedAt = now()
    const code = await currentCode(db, scan.event, scan.code)
    const decided = await decide({ ...scan, code, receivedAt })
    if (decided instanceof Refusal) throw decided
    return decided
  }
}

/** Two scans of one ticket, or one scan sent twice, must see each other's outcome: they never go in one statement. */
function keysOf({ code, scanId }: Scan): string[] {
  const ticket = `${isVoucher(code) ? 'voucher' : 'ticket'} ${code.id}`
  return scanId === null ? [ticket] : [ticket, scanId]
}

/** Checks a ticket in by its code. One scan wins; a repeated scan gets its first answer, even if that was a refusal. */
export async function scan(
  { now }: Deps,
  decide: Decide,
  caller: AdminCaller,
  event: OwnEvent,
  { qrCodeData, scanId, scannedAt, device }: Payload,
): Promise<Answer> {
  const code = readQr(qrCodeData)
  if (!code) throw new Refusal('INVALID_QR', { fields: [{ path: 'payload.qrCodeData', msg: refusalTexts.invalidQr }] })
  const decided = await decide({
    event,
    caller,
    code,
    codeHash: hashOf(qrCodeData),
    scanId: scanId ?? null,
    scannedAt: scannedAt ?? null,
    at: now(),
    device: device ?? null,
    wasShownIn: false,
  })
  const refusal = refusalOf(event, decided)
  if (refusal) throw refusal
  const checkin = checkinOf(decided.outcome)
  if (!decided.ticket || !checkin) throw new Refusal('NOT_FOUND')
  return { registration: toRegistration(decided.ticket), checkin }
}

/** The refusal of a decided scan; null when it let somebody in. */
export function refusalOf(event: OwnEvent, decided: Decided): Refusal | null {
  const { outcome, ticket } = decided
  if (outcome.code === null) return null
  const code = isRefusalCode(outcome.code) ? outcome.code : 'NOT_FOUND'
  const name = ticket?.name ?? null
  const checkin = checkinOf(outcome)
  if (code === 'ALREADY_CHECKED_IN' && checkin) return alreadyIn(event, name, checkin)
  if (code === 'WRONG_EVENT')
    return new Refusal(code, {
      msg: () => texts.ticketOfOtherEvent({ event: outcome.eventName ?? '' }),
      payload: { eventName: outcome.eventName },
    })
  return new Refusal(code, name === null ? {} : { payload: { name } })
}
