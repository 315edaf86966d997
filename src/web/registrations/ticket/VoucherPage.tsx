import { useSuspenseQuery } from '@tanstack/react-query'
import { redemptionApi } from '../../../contract/redemptions.ts'
import { query } from '../../api/query.ts'
import { EventFacts } from '../../events/EventFacts.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { leftOf, VoucherCode, VoucherState } from './VoucherCard.tsx'

/** The page of a voucher, at the address that its QR code contains. */
export function VoucherPage({ extrasPurchaseId, qrUuid }: { extrasPurchaseId: number; qrUuid: string }) {
  const { data } = useSuspenseQuery(
    query(redemptionApi.getVoucher, { extrasPurchaseId, qrUuid }, { saysMissing: true }),
  )
  const { extrasPurchase, event, holder, isValid, isUnpaid } = data
  return (
    <div className="page narrow">
      <PageTitle title={`Voucher: ${extrasPurchase.name}`} />
      <h1>Voucher</h1>
      <p>
        Of {holder}, for {event.name}
      </p>
      <section className="card ticket" aria-label={`Voucher: ${extrasPurchase.name}`}>
        <h2>{extrasPurchase.name}</h2>
        <VoucherCode voucher={extrasPurchase} isValid={isValid} />
        <p>
          <VoucherState voucher={extrasPurchase} isValid={isValid} isUnpaid={isUnpaid} />
        </p>
        {extrasPurchase.content.length > 0 && <p>{leftOf(extrasPurchase)}</p>}
        <div className="stub">
          <EventFacts event={event} hasPrice={false} />
        </div>
      </section>
    </div>
  )
}
