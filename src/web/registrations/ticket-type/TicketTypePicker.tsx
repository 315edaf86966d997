import { useId } from 'react'
import { priceOf, type TicketType, ticketsLeft } from '../../../contract/ticket-type.ts'
import { formatDate, formatTime } from '../../../contract/values/dates.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/registration.ts'
import { describedBy, FieldNotes } from '../../ui/forms/FieldNotes.tsx'
import { fieldPlace } from '../../ui/forms/field-place.ts'
import { TICKET_TYPE } from '../typed.ts'
import { whyNotToBeHad } from './chosen-type.ts'
import { perOrderText } from './per-order.ts'
import styles from './TicketTypePicker.module.css'

interface Props {
  /** Those on sale, in their order. */
  types: readonly TicketType[]
  chosen: TicketType | undefined
  currency: string
  timeZone: string
  now: Date
  error: string | undefined
  onChoose: (type: TicketType) => void
}

/** The tickets that an event sells, one of which is chosen. */
export function TicketTypePicker({ types, chosen, currency, timeZone, now, error, onChoose }: Props) {
  const id = useId()
  if (types.length === 0) return null
  return (
    <fieldset
      className={`field ${styles.tickets}`}
      id={fieldPlace(TICKET_TYPE)}
      aria-describedby={describedBy(id, undefined, error)}
    >
      <legend>{texts.ticketType()}</legend>
      {types.map((type) => {
        const { name, description, price, codePrice } = type
        const isToBeHad = whyNotToBeHad(type, now) === null
        return (
          <label className={`choice ${styles.ticket}`} key={type.id} data-gone={!isToBeHad || undefined}>
            <input
              type="radio"
              name={TICKET_TYPE}
              value={type.id}
              checked={type.id === chosen?.id}
              disabled={!isToBeHad}
              aria-invalid={error !== undefined}
              onChange={() => onChoose(type)}
            />
            <span className={styles.about}>
              <strong>{name}</strong>
              {type.access === 'member' && <span className="muted small">{texts.forMembers()}</span>}
              {description !== '' && <span className="muted small">{description}</span>}
              <Sale type={type} now={now} timeZone={timeZone} />
            </span>
            <span className={`price ${styles.price}`}>
              {codePrice !== null && (
                <s>
                  <span className={styles.unseen}>{texts.insteadOf()} </span>
                  {formatPrice(price, currency)}
                </s>
              )}{' '}
              {formatPrice(priceOf(type), currency)}
            </span>
          </label>
        )
      })}
      <FieldNotes id={id} help={undefined} error={error} />
    </fieldset>
  )
}

/** What is left of a ticket type, and from when or until when it is sold. */
function Sale({ type, now, timeZone }: { type: TicketType; now: Date; timeZone: string }) {
  const { saleOpensAt, saleClosesAt } = type
  const at = (moment: Date) => ({ date: formatDate(moment, timeZone), time: formatTime(moment, timeZone) })
  const left = ticketsLeft(type)
  const perOrder = perOrderText(type)
  const words = {
    'not yet': () => (saleOpensAt ? [texts.soldFrom(at(saleOpensAt))] : []),
    over: () => [texts.saleEnded()],
    'sold out': () => [texts.soldOut()],
    sold: () => [
      ...(left !== null && left <= 20 ? [texts.vouchersLeft({ count: left })] : []),
      ...(saleClosesAt ? [texts.soldUntil(at(saleClosesAt))] : []),
      ...(perOrder === '' ? [] : [perOrder]),
    ],
  }[whyNotToBeHad(type, now) ?? 'sold']()
  return words.length === 0 ? null : <span className="muted small">{words.join(' · ')}</span>
}
