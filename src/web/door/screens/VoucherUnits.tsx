import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import * as texts from '../../../texts/generated/door.ts'
import type { Door } from '../phone/door.ts'
import type { Redemption } from '../phone/redeem.ts'
import { unitsLeft } from '../rules/vouchers.ts'
import type { Chosen } from './use-vouchers.ts'
import styles from './VoucherUnits.module.css'

interface Props {
  door: Door
  chosen: Chosen
  isBusy: boolean
  onGive: (redemption: Redemption) => void
  onClose: () => void
}

/** The units left of somebody's vouchers, with a button for each. */
export function VoucherUnits({ door, chosen: { ticketId, voucherId }, isBusy, onGive, onClose }: Props) {
  const panel = useRef<HTMLDialogElement>(null)
  useEffect(() => panel.current?.showModal(), [])
  const ticket = door.list?.tickets.get(ticketId)
  const isGone = ticket === undefined
  useEffect(() => {
    if (isGone) onClose()
  }, [isGone, onClose])
  if (!ticket) return null
  const vouchers = ticket.vouchers.filter(({ id }) => voucherId === null || id === voucherId)
  return (
    <dialog ref={panel} className={styles.panel} aria-label={texts.vouchersOf({ name: ticket.name })} onClose={onClose}>
      <h2>{ticket.name}</h2>
      {vouchers.map((voucher) => {
        const units = unitsLeft(voucher, door.queue)
        const rest = units.flatMap(({ name, left }) => (left > 0 ? [{ name, count: left }] : []))
        const isSeveral = rest.reduce((sum, { count }) => sum + count, 0) > 1
        return (
          <section key={voucher.id} aria-label={voucher.name}>
            <h3>{voucher.name}</h3>
            {units.map(({ name, quantity, left }) => (
              <Button
                key={name}
                size="xl"
                fullWidth
                disabled={left === 0 || isBusy}
                onClick={() => onGive({ ticket, voucher, units: [{ name, count: 1 }] })}
              >
                {left === 0 ? texts.noneLeft({ name }) : texts.oneOfLeft({ name, left, count: quantity })}
              </Button>
            ))}
            {isSeveral && (
              <Button
                size="md"
                variant="light"
                fullWidth
                disabled={isBusy}
                onClick={() => onGive({ ticket, voucher, units: rest })}
              >
                {texts.allLeftOf({ voucher: voucher.name })}
              </Button>
            )}
          </section>
        )
      })}
      <Button size="lg" variant="default" fullWidth onClick={onClose}>
        {texts.notNow()}
      </Button>
    </dialog>
  )
}
