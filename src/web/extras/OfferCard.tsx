import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import * as texts from '../../texts/generated/vouchersPage.ts'
import { useMay } from '../session/may.ts'
import { takeFocus } from '../ui/buttons/take-focus.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { MoreButton } from '../ui/menus/MoreButton.tsx'
import { SeatsBar } from '../ui/SeatsBar.tsx'
import styles from './OfferList.module.css'

interface Props {
  name: string
  /** As people write it. */
  price: string
  /** How many are sold, in parts; the first stands out. */
  sold: readonly string[]
  /** The places of its own that are taken; null without a limit. */
  limit: { taken: number; places: number } | null
  /** Its place in the list. */
  place: { isFirst: boolean; isLast: boolean }
  onMove: (step: -1 | 1) => void
  onEdit: () => void
  /** How it is taken off sale; left out where it cannot be. */
  removal?: { text: string; isBusy: boolean; confirm: (onSettled: () => void) => void }
  /** Whether its name takes the focus. */
  takesFocus?: boolean
  /** What it is. */
  children: ReactNode
}

/** Something that an event sells, in the list where staff edit it: a kind of ticket, or a voucher. */
export function OfferCard({ name, price, sold, limit, place, onMove, onEdit, removal, takesFocus, children }: Props) {
  const may = useMay()
  const [paid, ...others] = sold
  return (
    <li className="card">
      <h2 {...(takesFocus && { ref: takeFocus, tabIndex: -1 })}>
        {name} <span className="price">{price}</span>
      </h2>
      <div className={styles.order}>
        {may('events') && !(place.isFirst && place.isLast) && (
          <>
            <ActionIcon
              variant="subtle"
              size={44}
              aria-label={texts.moveUp({ name })}
              aria-disabled={place.isFirst}
              data-disabled={place.isFirst}
              onClick={() => onMove(-1)}
            >
              <IconArrowUp size={20} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              size={44}
              aria-label={texts.moveDown({ name })}
              aria-disabled={place.isLast}
              data-disabled={place.isLast}
              onClick={() => onMove(1)}
            >
              <IconArrowDown size={20} aria-hidden />
            </ActionIcon>
          </>
        )}
      </div>
      <div className={styles.content}>
        {children}
        <p className={styles.counts}>
          <strong>{paid}</strong>
          {others.map((part) => ` · ${part}`)}
        </p>
        {limit && (
          <div className={styles.sold}>
            <SeatsBar label={texts.takenOf({ name })} taken={limit.taken} places={limit.places} />
          </div>
        )}
      </div>
      {may('events') && (
        <Group gap="xs" className={styles.actions}>
          <Button variant="light" onClick={onEdit}>
            {texts.edit()}
          </Button>
          {removal && <Removal name={name} {...removal} />}
        </Group>
      )}
    </li>
  )
}

function Removal({ name, text, isBusy, confirm }: { name: string } & NonNullable<Props['removal']>) {
  const [isAsked, setAsked] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const close = () => {
    setAsked(false)
    // The entry of the menu that opened the dialog is gone.
    more.current?.focus()
  }
  return (
    <>
      <Menu position="bottom-end" portalProps={{ target: 'main' }}>
        <Menu.Target>
          <MoreButton ref={more} of={name} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="var(--bad)" onClick={() => setAsked(true)}>
            {texts.takeOffSale()}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RemovalDialog
        title={texts.takeOneOffSale({ name })}
        action={texts.takeItOffSale()}
        isOpen={isAsked}
        isBusy={isBusy}
        onConfirm={() => confirm(close)}
        onClose={close}
      >
        <p>{text}</p>
      </RemovalDialog>
    </>
  )
}
