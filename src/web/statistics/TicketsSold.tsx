import type { Statistics } from '../../contract/statistics.ts'
import { formatAmount } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/statistics.ts'
import { formatCount } from './figures.ts'
import styles from './SoldTable.module.css'

interface Props {
  ticketTypes: Statistics['ticketTypes']
  currency: string
}

/** How many tickets of each kind are taken, how many of them are in, and what was paid for them. */
export function TicketsSold({ ticketTypes, currency }: Props) {
  const hasMoney = ticketTypes.some(({ paid }) => paid > 0)
  return (
    <section className="card" aria-labelledby="ticket-types">
      <h2 id="ticket-types">{texts.tickets()}</h2>
      <table className={styles.sold}>
        <thead>
          <tr>
            <th scope="col">{texts.ticket()}</th>
            <th scope="col">{texts.taken()}</th>
            <th scope="col">{texts.checkedIn()}</th>
            {hasMoney && <th scope="col">{texts.paidFor()}</th>}
          </tr>
        </thead>
        <tbody>
          {ticketTypes.map(({ id, name, sold, checkedIn, paid, maxQuantity }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>
                {maxQuantity === null
                  ? formatCount(sold)
                  : texts.takenOf({ count: formatCount(sold), places: formatCount(maxQuantity) })}
              </td>
              <td>{formatCount(checkedIn)}</td>
              {hasMoney && <td>{formatAmount(paid, currency)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
