import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { Link, useParams } from 'react-router'
import { eventApi } from '../../contract/events.ts'
import { type Extras, extrasApi } from '../../contract/extras.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/vouchersPage.ts'
import { query, useCall } from '../api/query.ts'
import * as paths from '../paths.ts'
import { readId } from '../read-id.ts'
import { useMay } from '../session/may.ts'
import { vouchersSold } from '../statistics/figures.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Parts } from '../ui/Parts.tsx'
import { OfferCard } from './OfferCard.tsx'
import styles from './OfferList.module.css'
import { soldParts } from './sold-parts.ts'
import { useOrder } from './use-order.ts'
import { VoucherDialog } from './VoucherDialog.tsx'
import { contentWords } from './VoucherPicker.tsx'

/** The vouchers that an event sells with its tickets: drinks, meals, a parking space. */
export function VouchersPage() {
  const eventId = readId(useParams().eventId)
  const { data: event } = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  const { data: extras } = useSuspenseQuery(query(extrasApi.getExtras, { eventId }))
  const client = useQueryClient()
  const sort = useCall(extrasApi.sortExtras)
  const { ordered, move } = useOrder(extras, async (extrasIds) => {
    await sort.mutateAsync({ payload: { eventId, extrasIds: [...extrasIds] } })
    await client.refetchQueries(query(extrasApi.getExtras, { eventId }))
  })
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
        <ol className={styles.offers}>
          {ordered.map((voucher, index) => (
            <VoucherCard
              key={voucher.id}
              eventId={eventId}
              voucher={voucher}
              place={{ isFirst: index === 0, isLast: index === extras.length - 1 }}
              onMove={(step) => move(voucher.id, step)}
              onEdit={() => setEdited(voucher)}
            />
          ))}
        </ol>
      )}
      {edited && (
        <VoucherDialog event={event} extras={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </div>
  )
}

interface CardProps extends Pick<ComponentProps<typeof OfferCard>, 'place' | 'onMove' | 'onEdit'> {
  eventId: number
  voucher: Extras
}

function VoucherCard({ eventId, voucher, ...props }: CardProps) {
  const remove = useCall(extrasApi.removeExtras)
  const { id, name, description, price, currency, content, maxQuantity, soldCount } = voucher
  const sold = vouchersSold(voucher)
  return (
    <OfferCard
      {...props}
      name={name}
      price={formatPrice(price, currency)}
      sold={soldParts(voucher)}
      limit={maxQuantity === null ? null : { taken: soldCount, places: maxQuantity }}
      removal={{
        text: sold > 0 ? texts.offSaleSoldText({ count: sold }) : texts.offSaleText(),
        isBusy: remove.isPending,
        confirm: (onSettled) => remove.mutate({ extrasId: id, eventId }, { onSettled }),
      }}
    >
      {description && <p>{description}</p>}
      {content.length > 0 && <p className="muted">{texts.goodFor({ units: contentWords(content) })}</p>}
    </OfferCard>
  )
}
