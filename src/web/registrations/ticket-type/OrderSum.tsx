import { linePartName } from '../../../contract/receipts.ts'
import { priceOf, type TicketType } from '../../../contract/ticket-type.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import styles from '../RegistrationForm.module.css'

interface Props {
  /** The tickets of all people. */
  chosen: readonly TicketType[]
  vouchers: readonly { name: string; price: number; quantity: number }[]
  currency: string
}

/** What the total of several tickets and vouchers is made up of. */
export function OrderSum({ chosen, vouchers, currency }: Props) {
  const types = [...new Map(chosen.map((type) => [type.id, type])).values()]
  const tickets = types.map((type) => ({
    name: type.name,
    price: priceOf(type),
    quantity: chosen.filter(({ id }) => id === type.id).length,
  }))
  const lines = [...tickets, ...vouchers.filter(({ quantity }) => quantity > 0)]
  return (
    <ul className={styles.sum}>
      {lines.map(({ name, price, quantity }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may have one name, and a line has no state.
        <li key={at}>
          <span>{linePartName({ name, quantity })}</span>
          <span>{formatPrice(price * quantity, currency)}</span>
        </li>
      ))}
    </ul>
  )
}
