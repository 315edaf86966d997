import { useCallback, useEffect, useRef, useState } from 'react'
import type { DoorTicket, DoorVoucher } from '../../contract/door.ts'
import { contact } from './contact.ts'
import { pause } from './decide.ts'
import type { Door } from './door.ts'
import type { Purchase } from './queue-entry.ts'
import { redeem } from './redeem.ts'
import { signal } from './signal.ts'
import { type Shown, useAutoClear, useSeen } from './use-scans.ts'
import { unsure, type Verdict, verdictOf } from './verdict.ts'
import { type Holder, holderOf, unitsLeft, vouchersOf } from './vouchers.ts'

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
  const [shown, setShown] = useState<Shown | null>(null)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [isBusy, setBusy] = useState(false)
  const busy = useRef(false)
  /** Codes that came while another was being looked up. */
  const waiting = useRef<string[]>([])

  const show = useCallback(
    (verdict: Verdict, readAt: number) => {
      setShown({ verdict, readAt, confirm: null })
      signal(verdict.kind, door.device.sound)
    },
    [door],
  )
  const run = useCallback(
    async (work: () => Promise<Verdict | null>): Promise<void> => {
      if (busy.current) return
      busy.current = true
      setBusy(true)
      setShown(null)
      const readAt = performance.now()
      const verdict = await work().catch(() => unsure('Something went wrong on this phone. Please try again.'))
      busy.current = false
      setBusy(false)
      if (verdict) show(verdict, readAt)
    },
    [show],
  )
  const give = useCallback(
    (ticket: DoorTicket, voucher: DoorVoucher, units: Purchase['units']) =>
      void run(async () => {
        const verdict = await redeem(door, ticket, voucher, units)
        setChosen(null)
        return verdict
      }),
    [door, run],
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
      setChosen({ ticketId: ticket.id, voucherId })
      return null
    },
    [door],
  )

  /** A code that is meant now. */
  const scan = useCallback(
    (code: string): void => {
      if (busy.current) {
        waiting.current.push(code)
        return
      }
      setChosen(null)
      void run(async () => {
        if (!door.list) await Promise.race([contact(door), pause(NEWS_MS)])
        if (!door.list) return unsure('This phone has no list of the event yet.')
        let holder = holderOf(code, door.list)
        if ('code' in holder && holder.code === 'NOT_FOUND' && door.link !== 'offline') {
          await Promise.race([contact(door), pause(NEWS_MS)])
          holder = holderOf(code, door.list)
        }
        return open(
          holder,
          'vouchers' in holder && holder.vouchers.length === 1 ? (holder.vouchers[0]?.id ?? null) : null,
        )
      })
    },
    [door, open, run],
  )
  // One code after the other, while nobody's vouchers are being looked at.
  useEffect(() => {
    const next = isBusy || chosen ? undefined : waiting.current.shift()
    if (next !== undefined) scan(next)
  }, [isBusy, chosen, scan])
  const see = useSeen(
    useCallback(
      (code: string) => {
        if (isPaused || busy.current || chosen !== null) return false
        scan(code)
        return true
      },
      [isPaused, chosen, scan],
    ),
  )
  const choose = useCallback(
    (ticketId: number) =>
      void run(async () => {
        const ticket = door.list?.tickets.get(ticketId)
        return ticket ? open(vouchersOf(ticket, null), null) : null
      }),
    [door, open, run],
  )
  const clear = useCallback(() => setShown(null), [])
  const leave = useCallback(() => setChosen(null), [])
  useAutoClear(shown, door.device.mode === 'express', clear)
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
