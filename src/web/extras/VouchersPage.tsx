import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Event } from '../../contract/event.ts'
import { eventApi } from '../../contract/events.ts'
import { type Extras, extrasApi } from '../../contract/extras.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/vouchersPage.ts'
import { query, useCall } from '../api/query.ts'
import { moved } from '../forms/draft-questions.ts'
import { paths } from '../paths.ts'
import { readId } from '../read-id.ts'
import { useMay } from '../session/may.ts'
import { vouchersSold } from '../statistics/figures.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { MoreButton } from '../ui/menus/MoreButton.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Parts } from '../ui/Parts.tsx'
import { SeatsBar } from '../ui/SeatsBar.tsx'
import { soldParts } from './sold-parts.ts'
import { VoucherDialog } from './VoucherDialog.tsx'
import { contentWords } from './VoucherPicker.tsx'
import styles from './VouchersPage.module.css'

/** The vouchers that an event sells with its tickets: drinks, meals, a parking space. */
export function VouchersPage() {
  const eventId = readId(useParams().eventId)
  const { data: event } = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  const { data: extras } = useSuspenseQuery(query(extrasApi.getExtras, { eventId }))
  const { ordered, move } = useOrder(eventId, extras)
  const may = useMay()
  const [edited, setEdited] = useState<Extras | 'new' | null>(null)
  return (
    <div className="page">
      <PageTitle title={texts.title({ event: event.name })} />
      <div className="row spread">
        <div>
          <h1>{texts.vouchers()}</h1>
          <p className="muted">
            <Parts
              of={texts.subtitle({
                event: event.name,
                link: (text) => <Link to={paths.eventHome(eventId)}>{text}</Link>,
              })}
            />
          </p>
        </div>
        {extras.length > 0 && (
          <div className={styles.tools}>
            {may('events') && <Button onClick={() => setEdited('new')}>{texts.addAVoucher()}</Button>}
            {may('door') && (
              <Button variant="light" component={Link} to={paths.voucherScanner(eventId)}>
                {texts.scanVouchers()}
              </Button>
            )}
          </div>
        )}
      </div>
      {extras.length === 0 ? (
        <section className="card" aria-labelledby="none">
          <h2 id="none">{texts.noVouchersYet()}</h2>
          <p>{texts.emptyText()}</p>
          {may('events') && <Button onClick={() => setEdited('new')}>{texts.addAVoucher()}</Button>}
        </section>
      ) : (
        <ol className={styles.voucherList}>
          {ordered.map((voucher, index) => (
            <li key={voucher.id} className="card">
              <VoucherLine event={event} voucher={voucher} onEdit={() => setEdited(voucher)}>
                {may('events') && (
                  <>
                    <ActionIcon
                      variant="subtle"
                      size={44}
                      aria-label={texts.moveUp({ name: voucher.name })}
                      aria-disabled={index === 0}
                      data-disabled={index === 0}
                      onClick={() => move(voucher.id, -1)}
                    >
                      <IconArrowUp size={20} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      size={44}
                      aria-label={texts.moveDown({ name: voucher.name })}
                      aria-disabled={index === extras.length - 1}
                      data-disabled={index === extras.length - 1}
                      onClick={() => move(voucher.id, 1)}
                    >
                      <IconArrowDown size={20} aria-hidden />
                    </ActionIcon>
                  </>
                )}
              </VoucherLine>
            </li>
          ))}
        </ol>
      )}
      {edited && (
        <VoucherDialog event={event} extras={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </div>
  )
}

/** The vouchers in the new order, shown at once. One save runs at a time, each with the latest order. */
function useOrder(eventId: number, extras: Extras[]) {
  const client = useQueryClient()
  const sort = useCall(extrasApi.sortExtras)
  const [wanted, setWanted] = useState<readonly number[] | null>(null)
  const latest = useRef<readonly number[] | null>(null)
  const isSaving = useRef(false)
  const place = (id: number) => wanted?.indexOf(id) ?? 0
  const ordered = wanted ? [...extras].sort((a, b) => place(a.id) - place(b.id)) : extras

  async function save(): Promise<void> {
    isSaving.current = true
    try {
      for (let saved: readonly number[] | null = null; saved !== latest.current; ) {
        saved = latest.current
        if (saved) await sort.mutateAsync({ payload: { eventId, extrasIds: [...saved] } })
        if (saved === latest.current) await client.refetchQueries(query(extrasApi.getExtras, { eventId }))
      }
    } finally {
      isSaving.current = false
      latest.current = null
      setWanted(null)
    }
  }
  /** Moves a voucher up (-1) or down (1) from its latest place, because a second tap may come before the first is rendered. */
  function move(id: number, step: -1 | 1): void {
    const ids = latest.current ?? ordered.map((each) => each.id)
    const from = ids.indexOf(id)
    if (from + step < 0 || from + step >= ids.length) return
    latest.current = moved(ids, from, from + step)
    setWanted(latest.current)
    // A refusal has been shown by the call itself.
    if (!isSaving.current) void save().catch(() => {})
  }
  return { ordered, move }
}

interface LineProps {
  event: Event
  voucher: Extras
  onEdit: () => void
  /** The buttons that move it. */
  children: ReactNode
}

function VoucherLine({ event, voucher, onEdit, children }: LineProps) {
  const remove = useCall(extrasApi.removeExtras)
  const may = useMay()
  const [isAsked, setAsked] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const close = () => {
    setAsked(false)
    // The entry of the menu that opened the dialog is gone.
    more.current?.focus()
  }
  const { id, name, description, price, currency, content, maxQuantity, soldCount } = voucher
  const sold = vouchersSold(voucher)
  const [paid, ...others] = soldParts(voucher)
  return (
    <>
      <h2>
        {name} <span className="price">{formatPrice(price, currency)}</span>
      </h2>
      <div className={styles.order}>{children}</div>
      <div className={styles.content}>
        {description && <p>{description}</p>}
        {content.length > 0 && <p className="muted">{texts.goodFor({ units: contentWords(content) })}</p>}
        <p className={styles.counts}>
          <strong>{paid}</strong>
          {others.map((part) => ` · ${part}`)}
        </p>
        {maxQuantity !== null && (
          <div className={styles.sold}>
            <SeatsBar label={texts.takenOf({ name })} taken={soldCount} places={maxQuantity} />
          </div>
        )}
      </div>
      {may('events') && (
        <Group gap="xs" className={styles.actions}>
          <Button variant="light" onClick={onEdit}>
            {texts.edit()}
          </Button>
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
        </Group>
      )}
      <RemovalDialog
        title={texts.takeOneOffSale({ name })}
        action={texts.takeItOffSale()}
        isOpen={isAsked}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ extrasId: id, eventId: event.id }, { onSettled: close })}
        onClose={close}
      >
        <p>{sold > 0 ? texts.offSaleSoldText({ count: sold }) : texts.offSaleText()}</p>
      </RemovalDialog>
    </>
  )
}
