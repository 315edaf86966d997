import { useEffect, useState } from 'react'
import type { DoorTicket } from '../../../contract/door.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/door.ts'
import { useMay } from '../../session/may.ts'
import { notesOf, type TicketList } from '../rules/ticket-list.ts'
import styles from './OthersOfOrder.module.css'

interface Props {
  list: TicketList | null
  /** Who are not in yet. */
  others: readonly DoorTicket[]
  onLetIn: (ticketId: number) => void
  onLetAllIn: (ticketIds: readonly number[]) => void
}

/** A tap so soon after they appeared was meant for what was there before, in ms. */
const TOO_SOON_MS = 300

/** The others of an order on the verdict about one of them, to let in with one more tap each, or all together. */
export function OthersOfOrder({ list, others, onLetIn, onLetAllIn }: Props) {
  const may = useMay()
  const mayTakeMoney = may('take-money') && may('tickets')
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), TOO_SOON_MS)
    return () => clearTimeout(timer)
  }, [])
  const valid = others.filter(({ status }) => status === 'confirmed').map(({ id }) => id)
  return (
    <section className={styles.others} aria-label={texts.alsoInOrder()}>
      <p>{texts.alsoInOrder()}</p>
      <ul>
        {others.map((ticket) => {
          const { id, name, due, status } = ticket
          const type = list && notesOf({ ...list, questions: [] }, ticket)[0]?.text
          return (
            <li key={id}>
              <span>
                <strong>{name}</strong>
                {type && <small>{type}</small>}
              </span>
              {due && mayTakeMoney ? (
                <button
                  type="button"
                  aria-label={`${name}: ${texts.toPay({ amount: formatPrice(due.amount, due.currency) })}`}
                  disabled={!isReady}
                  onClick={() => onLetIn(id)}
                >
                  {texts.toPay({ amount: formatPrice(due.amount, due.currency) })}
                </button>
              ) : status === 'pending' ? (
                <span>{due ? texts.notPaid() : texts.freeOnceOthersPaid()}</span>
              ) : (
                <button
                  type="button"
                  aria-label={texts.letInOne({ name })}
                  disabled={!isReady}
                  onClick={() => onLetIn(id)}
                >
                  {texts.letIn()}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {valid.length > 1 && (
        <button type="button" disabled={!isReady} onClick={() => onLetAllIn(valid)}>
          {texts.letAllIn({ count: valid.length })}
        </button>
      )}
    </section>
  )
}
