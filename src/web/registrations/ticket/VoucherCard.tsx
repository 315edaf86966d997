import * as texts from '../../../texts/generated/ticket.ts'
import './ticket.css'
import { useRef } from 'react'
import type { ExtrasPurchase } from '../../../contract/extras.ts'
import { voucherCode, voucherUrl } from '../../../contract/values/ticket-codes.ts'
import { baseUrl } from '../../site.ts'
import { ZoomableCode } from '../../ui/codes/ZoomableCode.tsx'
import { useIsRunning } from '../../ui/use-is-running.ts'
import { useOpenedBefore } from '../../ui/use-opened-before.ts'

interface Props {
  voucher: ExtrasPurchase
  /** The voucher's name as it is shown. */
  name: string
  isValid: boolean
  /** The voucher becomes valid with the payment. */
  isUnpaid: boolean
  isOpen: boolean
  /** Whether the server draws its code. */
  isDrawn: boolean
  onToggle: (isOpen: boolean) => void
}

/** A bought voucher as a row with what is left of it, which opens to its own code. */
export function VoucherCard({ voucher, name, isValid, isUnpaid, isOpen, isDrawn, onToggle }: Props) {
  const details = useRef<HTMLDetailsElement>(null)
  const isRunning = useIsRunning()
  useOpenedBefore(details, () => onToggle(true))
  return (
    <>
      <details
        ref={details}
        name="voucher"
        className="card voucher"
        aria-label={texts.voucherTitle({ name })}
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
            {isValid && !isSingleUse(voucher) && (
              <>
                <br />
                <span className="small">{leftOf(voucher)}</span>
              </>
            )}
          </span>
          <VoucherState voucher={voucher} isValid={isValid} isUnpaid={isUnpaid} />
          <span className="icon chevron-right" aria-hidden="true" />
        </summary>
        {isRunning
          ? isOpen && <VoucherCode voucher={voucher} isValid={isValid} />
          : beforeScript(voucher, isValid, isDrawn)}
      </details>
      {/* On paper each has its code: what is folded away is not printed. */}
      {isRunning && (
        <section className="card ticket printed" aria-label={texts.voucherTitle({ name })}>
          <h2>{name}</h2>
          <VoucherCode voucher={voucher} isValid={isValid} />
          <p>{leftOf(voucher)}</p>
        </section>
      )}
    </>
  )
}

/** The code for those without script; where there are many, a link to the voucher's own page. */
function beforeScript(voucher: ExtrasPurchase, isValid: boolean, isDrawn: boolean) {
  if (isDrawn) return <VoucherCode voucher={voucher} isValid={isValid} />
  return (
    <p className="center">
      <a href={voucherUrl(baseUrl(), voucher)}>{texts.openThisVoucher()}</a>
    </p>
  )
}

/** A voucher's code, and the short code for typing. A voucher that is not valid, or used up, has only the latter. */
export function VoucherCode({ voucher, isValid }: Pick<Props, 'voucher' | 'isValid'>) {
  return (
    <div className="ticket">
      {isValid && !voucher.status && (
        <ZoomableCode
          text={voucherUrl(baseUrl(), voucher)}
          label={texts.voucherCode({ name: voucher.name })}
          caption={voucherCode(voucher)}
        />
      )}
      <p className="code">{voucherCode(voucher)}</p>
    </div>
  )
}

export function VoucherState({ voucher, isValid, isUnpaid }: Pick<Props, 'voucher' | 'isValid' | 'isUnpaid'>) {
  if (isValid)
    return (
      <span className={voucher.status ? 'badge calm' : 'badge good'}>
        {voucher.status ? texts.usedUp() : texts.valid()}
      </span>
    )
  return (
    <span className={isUnpaid ? 'badge warm' : 'badge bad'}>{isUnpaid ? texts.notPaidYet() : texts.notValid()}</span>
  )
}

/** Whether its state says all there is to say: it is named after its only part, of which there is one. */
function isSingleUse({ name, content }: ExtrasPurchase): boolean {
  return content.length === 1 && content[0]?.quantity === 1 && isNamedAfter(name, content)
}

function isNamedAfter(voucher: string, content: ExtrasPurchase['content']): boolean {
  return content.length === 1 && voucher.toLowerCase().includes(content[0]?.name.toLowerCase() ?? '')
}

/** What is left of a voucher: `Drink: 3 of 3 left`, or `3 of 3 left` where the voucher is named after its only part. */
export function leftOf({ name: voucher, content }: Pick<ExtrasPurchase, 'name' | 'content'>): string {
  const hasOneName = isNamedAfter(voucher, content)
  return content
    .map(({ name, quantity, redeemed }) => {
      const left = { left: quantity - redeemed, count: quantity }
      return hasOneName ? texts.leftOf(left) : texts.leftOfPart({ ...left, name })
    })
    .join(', ')
}
