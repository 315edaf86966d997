import { useCallback, useState } from 'react'
import type { DoorTicket, DoorVoucher } from '../../../contract/door.ts'
import type { Door } from '../phone/door.ts'
import { within } from '../phone/pause.ts'
import { redeem } from '../phone/redeem.ts'
import { syncNow } from '../phone/sync.ts'
import type { Purchase } from '../rules/queue-entry.ts'
import { unsure, type Verdict, verdictOf } from '../rules/verdict.ts'
import { type Holder, holderOf, unitsLeft, vouchersOf } from '../rules/vouchers.ts'
import { useSeen, useTurns } from './use-turns.ts'

/** A code that this phone does not know may be one that was just bought: its news are waited for this long. */
const NEWS_MS = 3_000

/** Whose vouchers are being redeemed. */
export interface Chosen {
  ticketId: number
  /** The one whose code was read; null for all of the ticket's. */
  voucherId: number | null
}

/** Vouchers one after the other: a code shows what is left, a tap redeems it. */
export function useVouchers(door: Door, isPaused: boolean) {
  const { turns, shown, isBusy, add, answer, clear } = useTurns(door)
  const [chosen, setChosen] = useState<Chosen | null>(null)

  const give = useCallback(
    (ticket: DoorTicket, voucher: DoorVoucher, units: Purchase['units']) =>
      answer(() => redeem(door, ticket, voucher, units).finally(() => setChosen(null))),
    [door, answer],
  )
  const open = useCallback(
    async (holder: Holder, voucherId: number | null): Promise<Verdict | null> => {
      if ('code' in holder) return refusal(holder)
      const { ticket, vouchers } = holder
      const left = vouchers.flatMap((voucher) =>
        unitsLeft(voucher, door.queue).flatMap((unit) => (unit.left > 0 ? [{ voucher, unit }] : [])),
      )
      const [only] = left
      if (!only) return allUsed(ticket, vouchers)
      // The one thing that can be meant needs no tap.
      if (door.device.mode === 'express' && left.length === 1 && only.unit.left === 1)
        return redeem(door, ticket, only.voucher, [{ name: only.unit.name, count: 1 }])
      turns.show('ask')
      setChosen({ ticketId: ticket.id, voucherId })
      return null
    },
    [door, turns],
  )

  /** A code that is meant now. */
  const scan = useCallback(
    (code: string): void => {
      add(async () => {
        if (!door.list) await within(NEWS_MS, syncNow(door))
        if (!door.list) return unsure('This phone has no list of the event yet.')
        let holder = holderOf(code, door.list)
        if ('code' in holder && holder.code === 'NOT_FOUND' && door.connection !== 'offline') {
          await within(NEWS_MS, syncNow(door))
          holder = holderOf(code, door.list)
        }
        return open(
          holder,
          'vouchers' in holder && holder.vouchers.length === 1 ? (holder.vouchers[0]?.id ?? null) : null,
        )
      })
    },
    [door, open, add],
  )
  const see = useSeen(
    useCallback(
      (code: string) => {
        if (isPaused || !turns.isFree()) return false
        scan(code)
        return true
      },
      [isPaused, turns, scan],
    ),
  )
  const choose = useCallback(
    (ticketId: number) =>
      add(async () => {
        const ticket = door.list?.tickets.get(ticketId)
        return ticket ? open(vouchersOf(ticket, null), null) : null
      }),
    [door, open, add],
  )
  const leave = useCallback(() => {
    turns.show(null)
    setChosen(null)
  }, [turns])
  return { shown, chosen, isBusy, scan, see, choose, give, clear, leave }
}

function refusal({ code, ticket }: Extract<Holder, { code: string }>): Verdict {
  const name = ticket?.name ?? null
  if (code === 'NO_VOUCHER')
    return {
      kind: 'refused',
      word: 'No voucher',
      detail: 'This ticket has no vouchers.',
      name,
      notes: [],
      ticketId: null,
      code,
    }
  if (code === 'NOT_FOUND') return { ...verdictOf({ code, name }), detail: 'No voucher of this event has this code.' }
  return verdictOf({ code, name })
}

function allUsed(ticket: DoorTicket, vouchers: readonly DoorVoucher[]): Verdict {
  const detail = vouchers.length === 1 ? `Nothing of ${vouchers[0]?.name} is left.` : 'Nothing of any voucher is left.'
  return {
    kind: 'already',
    word: 'Used up',
    detail,
    name: ticket.name,
    notes: [],
    ticketId: ticket.id,
    code: 'ALREADY_REDEEMED',
  }
}
