import type { Statistics } from '../../contract/statistics.ts'
import * as texts from '../../texts/generated/statistics.ts'
import { formatCount } from './figures.ts'
import styles from './SoldTable.module.css'

/** How many vouchers of each kind were sold, and how many of them used up. */
export function VouchersSold({ vouchers }: { vouchers: Statistics['vouchers'] }) {
  return (
    <section className="card" aria-labelledby="vouchers">
      <h2 id="vouchers">{texts.vouchers()}</h2>
      <table className={styles.sold}>
        <thead>
          <tr>
            <th scope="col">{texts.voucher()}</th>
            <th scope="col">{texts.sold()}</th>
            <th scope="col">{texts.usedUp()}</th>
          </tr>
        </thead>
        <tbody>
          {vouchers.map(({ name, sold, redeemed }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{formatCount(sold)}</td>
              <td>{formatCount(redeemed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
