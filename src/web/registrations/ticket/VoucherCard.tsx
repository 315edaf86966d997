import './ticket.css'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { ExtrasPurchase } from '../../../contract/extras.ts'
import { voucherCode, voucherUrl } from '../../../contract/values/ticket-codes.ts'
import { baseUrl } from '../../site.ts'
import { useIsRunning } from '../../ui/use-is-running.ts'
import { ZoomableCode } from '../../ui/ZoomableCode.tsx'

interface Props {
  voucher: ExtrasPurchase
  /** The voucher's name as it is shown. */
  name: string
  isValid: boolean
  /** The voucher becomes valid with the payment. */
  isUnpaid: boolean
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

/** A bought voucher as a row with what is left of it, which opens to its own code. */
export function VoucherCard({ voucher, name, isValid, isUnpaid, isOpen, onToggle }: Props) {
  const details = useRef<HTMLDetailsElement>(null)
  const isRunning = useIsRunning()
  const begin = useEffectEvent(() => {
    // Opened before script took over.
    if (details.current?.open) onToggle(true)
  })
  useEffect(() => begin(), [])
  return (
    <>
      <details
        ref={details}
        className="card voucher"
        aria-label={`Voucher: ${name}`}
        open={isOpen}
        onToggle={({ currentTarget }) => {
          // Also reports a change by React itself, which is no news.
          if (currentTarget.open !== isOpen) onToggle(currentTarget.open)
        }}
      >
        <summary>
          <span className="icon ticket" aria-hidden="true" />
          <span>
            <strong>{name}</strong>
            <br />
            <span className="small">{leftOf(voucher)}</span>
          </span>
          <VoucherState voucher={voucher} isValid={isValid} isUnpaid={isUnpaid} />
          <span className="icon chevron-right" aria-hidden="true" />
        </summary>
        {(isOpen || !isRunning) && <VoucherCode voucher={voucher} isValid={isValid} />}
      </details>
      {/* On paper each has its code: what is folded away is not printed. */}
      {isRunning && (
        <section className="card ticket printed" aria-label={`Voucher: ${name}`}>
          <h2>{name}</h2>
          <VoucherCode voucher={voucher} isValid={isValid} />
          <p>{leftOf(voucher)}</p>
        </section>
      )}
    </>
  )
}

/** A voucher's code, and the short code for typing. A voucher that is not valid, or used up, has only the latter. */
export function VoucherCode({ voucher, isValid }: Pick<Props, 'voucher' | 'isValid'>) {
  return (
    <div className="ticket">
      {isValid && !voucher.status && (
        <ZoomableCode
          text={voucherUrl(baseUrl(), voucher)}
          label={`QR code of the voucher ${voucher.name}`}
          caption={voucherCode(voucher)}
        />
      )}
      <p className="code">{voucherCode(voucher)}</p>
    </div>
  )
}

export function VoucherState({ voucher, isValid, isUnpaid }: Pick<Props, 'voucher' | 'isValid' | 'isUnpaid'>) {
  if (isValid)
    return <span className={voucher.status ? 'badge calm' : 'badge good'}>{voucher.status ? 'Used up' : 'Valid'}</span>
  return <span className={isUnpaid ? 'badge warm' : 'badge bad'}>{isUnpaid ? 'Not paid yet' : 'Not valid'}</span>
}

/** What is left of a voucher: `Drink: 3 of 3 left`. */
export function leftOf({ content }: ExtrasPurchase): string {
  return content.map(({ name, quantity, redeemed }) => `${name}: ${quantity - redeemed} of ${quantity} left`).join(', ')
}
