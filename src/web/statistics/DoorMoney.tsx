import type { Statistics } from '../../contract/statistics.ts'
import { formatAmount } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/statistics.ts'
import { formatCount } from './figures.ts'
import styles from './SoldTable.module.css'

interface Props {
  doorMoney: Statistics['doorMoney']
  currency: string
}

/** What was taken at the door, by whom and in which way, as each cash box has to hold it. */
export function DoorMoney({ doorMoney, currency }: Props) {
  const sum = (field: 'count' | 'amount') => doorMoney.reduce((total, each) => total + each[field], 0)
  return (
    <section className="card" aria-labelledby="door-money">
      <h2 id="door-money">{texts.doorMoney()}</h2>
      <table className={styles.sold}>
        <thead>
          <tr>
            <th scope="col">{texts.takenBy()}</th>
            <th scope="col">{texts.way()}</th>
            <th scope="col">{texts.payments()}</th>
            <th scope="col">{texts.takenAmount()}</th>
          </tr>
        </thead>
        <tbody>
          {doorMoney.map(({ by, way, count, amount }) => (
            <tr key={`${way} ${by}`}>
              <th scope="row">{by}</th>
              <td>{way === 'cash' ? texts.cash() : texts.terminal()}</td>
              <td>{formatCount(count)}</td>
              <td>{formatAmount(amount, currency)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.doorTotal()}</th>
            <td />
            <td>{formatCount(sum('count'))}</td>
            <td>{formatAmount(sum('amount'), currency)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
