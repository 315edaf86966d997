import { Button, Group } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { DoorTicket, DoorVoucher } from '../../contract/door.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Camera } from './Camera.tsx'
import { ConflictDialog } from './ConflictList.tsx'
import { DoorHeader } from './DoorHeader.tsx'
import { DoorSettings } from './DoorSettings.tsx'
import { type Door, setDevice } from './door.ts'
import { FindGuest } from './FindGuest.tsx'
import { GoneDoor } from './GoneDoor.tsx'
import type { Purchase } from './queue-entry.ts'
import { RecentScans } from './RecentScans.tsx'
import { StuckDialog } from './StuckScans.tsx'
import { useDoorView } from './use-door.ts'
import { useFocusBack, useTyping } from './use-typing.ts'
import { type Chosen, useVouchers } from './use-vouchers.ts'
import { useWedge } from './use-wedge.ts'
import { VerdictScreen } from './VerdictScreen.tsx'
import { unitsLeft } from './vouchers.ts'

type Open = 'settings' | 'conflicts' | 'stuck' | null

/** The bar: a voucher's code, or its ticket's, shows what is left of it, and a tap redeems it. */
export function VoucherScreen({ door, isKept }: { door: Door; isKept: boolean }) {
  const view = useDoorView(door)
  const [open, setOpen] = useState<Open>(null)
  const typing = useTyping()
  const field = useRef<HTMLInputElement>(null)
  const { shown, chosen, isBusy, scan, see, choose, give, clear, leave } = useVouchers(
    door,
    open !== null || typing.isTyping,
  )
  const focus = useFocusBack(shown !== null || chosen !== null, field)
  const close = () => setOpen(null)
  useWedge(scan)
  if (view.isGone) return <GoneDoor />
  const { list } = view
  const conflicts = list?.conflicts ?? 0
  return (
    <div className="door">
      <PageTitle title={list ? `Vouchers: ${list.event.name}` : 'Voucher scanner'} />
      <DoorHeader door={door} view={view} isKept={isKept} onStuck={() => setOpen('stuck')} variant="voucher" />
      {/* A name that is half typed is not cut off, whatever is shown over it. */}
      <div className="door-parts" inert={shown !== null && typing.text === ''} {...focus}>
        <div>
          <Camera
            chosen={view.device.camera}
            onChoose={(camera) => setDevice(door, { camera })}
            isBusy={isBusy}
            typing={typing}
            onCode={see}
          />
          <Group className="door-actions" gap="xs">
            <Button variant="light" size="md" onClick={() => setOpen('settings')}>
              Settings
            </Button>
            {conflicts > 0 && (
              <Button color="red" variant="light" size="md" onClick={() => setOpen('conflicts')}>
                {conflicts === 1 ? '1 conflict' : `${conflicts} conflicts`}
              </Button>
            )}
          </Group>
        </div>
        <div>
          <FindGuest {...{ door, view, isBusy, typing, field }} onCode={scan} onLetIn={choose} variant="voucher" />
          <RecentScans door={door} view={view} variant="voucher" />
        </div>
      </div>
      {chosen && <Left door={door} chosen={chosen} isBusy={isBusy} onGive={give} onClose={leave} />}
      <VerdictScreen shown={shown} onClear={clear} />
      {open === 'stuck' && <StuckDialog door={door} view={view} onClose={close} />}
      {open === 'settings' && <DoorSettings door={door} view={view} isKept={isKept} onClose={close} />}
      {open === 'conflicts' && list && <ConflictDialog event={list.event} onClose={close} />}
    </div>
  )
}

interface LeftProps {
  door: Door
  chosen: Chosen
  isBusy: boolean
  onGive: (ticket: DoorTicket, voucher: DoorVoucher, units: Purchase['units']) => void
  onClose: () => void
}

/** What is left of somebody's vouchers, each thing with a button of its own. */
function Left({ door, chosen: { ticketId, voucherId }, isBusy, onGive, onClose }: LeftProps) {
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
    <dialog ref={panel} className="door-left" aria-label={`Vouchers of ${ticket.name}`} onClose={onClose}>
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
                onClick={() => onGive(ticket, voucher, [{ name, count: 1 }])}
              >
                {left === 0 ? `${name}: none left` : `1 × ${name}, ${left} of ${quantity} left`}
              </Button>
            ))}
            {isSeveral && (
              <Button
                size="md"
                variant="light"
                fullWidth
                disabled={isBusy}
                onClick={() => onGive(ticket, voucher, rest)}
              >
                All that is left of {voucher.name}
              </Button>
            )}
          </section>
        )
      })}
      <Button size="lg" variant="default" fullWidth onClick={onClose}>
        Not now
      </Button>
    </dialog>
  )
}
