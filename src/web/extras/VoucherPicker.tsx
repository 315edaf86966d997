import { type Extras, MOST_VOUCHERS, vouchersLeft } from '../../contract/extras.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/registration.ts'
import styles from './VoucherPicker.module.css'
import { voucherName, type Wanted } from './wanted.ts'

interface Props {
  extras: readonly Extras[]
  wanted: Wanted
  onChange: (wanted: Wanted) => void
}

/** The vouchers on sale, each with its chosen quantity. */
export function VoucherPicker({ extras, wanted, onChange }: Props) {
  const inAll = Object.values(wanted).reduce((sum, count) => sum + count, 0)
  return (
    <fieldset className={`field ${styles.vouchers}`}>
      <legend>{texts.vouchersOptional()}</legend>
      {extras.map((voucher) => {
        const { id, name, description, price, currency, content } = voucher
        const count = wanted[id] ?? 0
        const left = vouchersLeft(voucher)
        const most = Math.min(MOST_VOUCHERS - inAll + count, left ?? MOST_VOUCHERS)
        const isMost = count >= most
        const lines = [
          description,
          contentWords(content),
          left === null || left > 20 ? '' : left === 0 ? texts.soldOut() : texts.vouchersLeft({ count: left }),
        ].filter((line) => line !== '')
        const set = (next: number) => onChange({ ...wanted, [id]: next })
        return (
          <div className={styles.voucher} key={id}>
            <div>
              <strong>{name}</strong>
              {lines.map((line) => (
                <p className="muted small" key={line}>
                  {line}
                </p>
              ))}
            </div>
            <span className="price">{formatPrice(price, currency)}</span>
            {(left !== 0 || count > 0) && (
              // A disabled button would lose the keyboard's focus at the first or last step.
              <div className={styles.stepper}>
                <button
                  type="button"
                  className="button quiet"
                  aria-label={texts.oneLess({ name })}
                  aria-disabled={count === 0}
                  onClick={() => count > 0 && set(count - 1)}
                >
                  −
                </button>
                <input
                  type="number"
                  inputMode="numeric"
                  name={voucherName(id)}
                  aria-label={texts.howMany({ name })}
                  min={0}
                  max={left ?? MOST_VOUCHERS}
                  value={count}
                  onChange={({ target }) => set(Math.min(Math.max(Math.trunc(target.valueAsNumber) || 0, 0), most))}
                />
                <button
                  type="button"
                  className="button quiet"
                  aria-label={texts.oneMore({ name })}
                  aria-disabled={isMost}
                  onClick={() => !isMost && set(count + 1)}
                >
                  +
                </button>
              </div>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}

/** A voucher's content as text, such as `3 × Drink`. */
export function contentWords(content: Extras['content']): string {
  return content.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')
}
