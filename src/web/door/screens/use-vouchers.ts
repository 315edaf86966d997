import { useCallback, useState } from 'react'
import type { DoorTicket, DoorVoucher } from '../../../contract/door.ts'
import * as texts from '../../../texts/generated/door.ts'
import type { Door } from '../phone/door.ts'
import { within } from '../phone/pause.ts'
import { type Redemption, redeem } from '../phone/redeem.ts'
import { syncNow } from '../phone/sync.ts'
import { NO_TICKET_DETAILS, unsure, type Verdict, verdictOf } from '../rules/verdict.ts'
import { type FoundVouchers, findVouchers, unitsLeft, vouchersOf } from '../rules/vouchers.ts'
import { type Turn, useScanQueue } from './use-scan-queue.ts'

/** The wait for the list's changes, in ms, when this phone does not know a code: it may have just been bought. */
const CHANGES_MS = 3_000

/** The ticket whose vouchers are being redeemed. */
export interface Chosen {
  ticketId: number
  /** The voucher whose code was read; null for all of the ticket's. */
  voucherId: number | null
}

/** The scans of vouchers: a code shows what is left, a tap redeems it. */
export function useVouchers(door: Door, isPaused: boolean) {
  const [chosen, setChosen] = useState<Chosen | null>(null)

  const open = useCallback(
    async (found: FoundVouchers, turn: Turn): Promise<Verdict | null> => {
      if ('code' in found) return refused(found)
      const { ticket, vouchers, voucherId } = found
      const left = vouchers.flatMap((voucher) =>
        unitsLeft(voucher, door.queue).flatMap((unit) => (unit.left > 0 ? [{ voucher, unit }] : [])),
      )
      const [only] = left
      if (!only) return allUsed(ticket, vouchers)
      // The only unit that is left needs no tap.
      if (door.device.mode === 'express' && left.length === 1 && only.unit.left === 1)
        return redeem(door, { ticket, voucher: only.voucher, units: [{ name: only.unit.name, count: 1 }] })
      turn.hold()
      setChosen({ ticketId: ticket.id, voucherId })
      return null
    },
    [door],
  )
  const decide = useCallback(
    async (code: string, turn: Turn): Promise<Verdict | null> => {
      if (!door.list) await within(CHANGES_MS, syncNow(door))
      if (!door.list) return unsure(texts.noListYet())
      const found = findVouchers(code, door.list)
      const isUnknown = 'code' in found && found.code === 'NOT_FOUND'
      if (!isUnknown || door.connection === 'offline') return open(found, turn)
      await within(CHANGES_MS, syncNow(door))
      return open(door.list ? findVouchers(code, door.list) : found, turn)
    },
    [door, open],
  )
  const { add, runNow, shown, isBusy, scan, see, clear } = useScanQueue(door, isPaused, decide, { variant: 'voucher' })
  const give = useCallback(
    (redemption: Redemption) => runNow(() => redeem(door, redemption).finally(() => setChosen(null))),
    [door, runNow],
  )
  const choose = useCallback(
    (ticketId: number) =>
      add(async (turn) => {
        const ticket = door.list?.tickets.get(ticketId)
        return ticket ? open(vouchersOf(ticket, null), turn) : null
      }),
    [door, open, add],
  )
  const leave = useCallback(() => {
    // Must come first, because clearing may begin the next scan at once, which may choose other vouchers.
    setChosen(null)
    clear()
  }, [clear])
  return { shown, chosen, isBusy, scan, see, choose, give, clear, leave }
}

function refused({ code, ticket }: Extract<FoundVouchers, { code: string }>): Verdict {
  const name = ticket?.name ?? null
  const verdict = verdictOf({ code, name })
  if (code === 'NO_VOUCHER') return { ...verdict, word: texts.noVoucherWord(), detail: texts.ticketWithoutVouchers() }
  return code === 'NOT_FOUND' ? { ...verdict, detail: texts.voucherNotFound() } : verdict
}

function allUsed({ id: ticketId, name }: DoorTicket, vouchers: readonly DoorVoucher[]): Verdict {
  const [first] = vouchers
  const detail =
    first && vouchers.length === 1 ? texts.nothingOfVoucherLeft({ voucher: first.name }) : texts.nothingLeft()
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
