import * as texts from '../../../texts/generated/ticket.ts'
import './ticket.css'
import type { Payload } from '../../../contract/endpoint.ts'
import type { visitorVoucherApi } from '../../../contract/redemptions.ts'
import { EventFacts } from '../../events/EventFacts.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { leftOf, VoucherCode, VoucherState } from './VoucherCard.tsx'

/** A voucher with its code. */
export function VoucherView({ voucher }: { voucher: Payload<typeof visitorVoucherApi.getVoucher> }) {
  const { extrasPurchase, event, holder, isValid, isUnpaid } = voucher
  return (
    <div className="page narrow">
      <PageTitle title={texts.voucherTitle({ name: extrasPurchase.name })} />
      <h1>{texts.voucher()}</h1>
      <p>{texts.holderOf({ holder, event: event.name })}</p>
      <section className="card ticket" aria-label={texts.voucherTitle({ name: extrasPurchase.name })}>
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
