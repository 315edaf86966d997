import './ticket.css'
import type { ExtrasPurchase } from '../../../contract/extras.ts'
import { voucherCode, voucherUrl } from '../../../contract/values/ticket-codes.ts'
import { baseUrl } from '../../site.ts'
import { ZoomableCode } from '../../ui/ZoomableCode.tsx'

interface Props {
  voucher: ExtrasPurchase
  isValid: boolean
  /** The voucher becomes valid with the payment. */
  isUnpaid: boolean
}

/** A bought voucher: its own code and the units left. */
export function VoucherCard({ voucher, isValid, isUnpaid }: Props) {
  return (
    <section className="card ticket" aria-label={`Voucher: ${voucher.name}`}>
      {isValid && !voucher.status && (
        <ZoomableCode
          text={voucherUrl(baseUrl(), voucher)}
          label={`QR code of the voucher ${voucher.name}`}
          caption={voucherCode(voucher)}
        />
      )}
      <p className="code">{voucherCode(voucher)}</p>
      <h2>{voucher.name}</h2>
      {isValid ? (
        <p className={voucher.status ? 'badge' : 'badge good'}>{voucher.status ? 'Used up' : 'Valid'}</p>
      ) : (
        <p className={isUnpaid ? 'badge' : 'badge bad'}>{isUnpaid ? 'Not paid yet' : 'Not valid'}</p>
      )}
      <ul className="facts">
        {voucher.content.map(({ name, quantity, redeemed }) => (
          <li key={name}>
            {name}: {quantity - redeemed} of {quantity} left
          </li>
        ))}
      </ul>
    </section>
  )
}
