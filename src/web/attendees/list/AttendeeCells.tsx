import { Checkbox } from '@mantine/core'
import { Link } from 'react-router'
import type { AttendeeRow } from '../../../contract/attendees.ts'
import type { Event } from '../../../contract/event.ts'
import { formatDate, formatTime } from '../../../contract/values/dates.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/attendees.ts'
import * as retentionTexts from '../../../texts/generated/retention.ts'
import { MailBadge, StatusBadges } from '../StatusBadges.tsx'
import { usePhoneFormat } from '../use-phone-format.ts'
import styles from './AttendeeTable.module.css'
import type { Column } from './columns.ts'

interface Props {
  event: Event
  row: AttendeeRow
  columns: readonly Column[]
  isTable: boolean
  isChosen: boolean
  onChoose: (ids: readonly number[], isChosen: boolean) => void
  onOpen: (id: number) => void
}

/** The cells of one attendee. On a card an answer stands beside its question, since there are no heads. */
export function AttendeeCells({ event, row, columns, isTable, isChosen, onChoose, onOpen }: Props) {
  const name = row.registration.registrationData.name || retentionTexts.dataDeleted()
  const has = (wanted: string) => columns.some(({ id }) => id === wanted)
  return (
    <>
      <Cell>
        <Checkbox
          aria-label={texts.chooseOne({ name })}
          checked={isChosen}
          onChange={() => onChoose([row.rId], !isChosen)}
        />
      </Cell>
      <Cell>
        <button type="button" className={styles.name} data-attendee={row.rId} onClick={() => onOpen(row.rId)}>
          {name}
        </button>
      </Cell>
      <Cell>
        <StatusBadges event={event} row={row} without={{ payment: has('paid'), mail: has('mail') }} />
      </Cell>
      <div className={styles.rest} role="presentation">
        {columns.map((column) => {
          const content = contentOf(column.id, event, row, isTable)
          return (
            <Cell key={column.id}>
              {content !== '' && content !== null && !isTable && column.id.startsWith('q') && (
                <span className="muted">{column.title()}: </span>
              )}
              {content}
            </Cell>
          )
        })}
      </div>
    </>
  )
}

function contentOf(column: string, event: Event, row: AttendeeRow, isTable: boolean): React.ReactNode {
  const { registrationData, registrationTime: at } = row.registration
  switch (column) {
    case 'ticket':
      return row.ticketType?.name ?? null
    case 'paid':
      return paidOf(row)
    case 'vouchers':
      return <Used row={row} />
    case 'order':
      return <OrderLink row={row} isShort={isTable} />
    case 'email':
      return registrationData.email
    case 'phone':
      return <Phone phone={registrationData.phone} />
    case 'registered':
      return (
        <time className={styles.line} dateTime={at.toISOString()}>
          {`${formatDate(at, event.timeZone)} ${formatTime(at, event.timeZone)}`}
        </time>
      )
    case 'id':
      return String(row.rId).padStart(5, '0')
    case 'mail':
      return row.mail && <MailBadge mail={row.mail} />
    default: {
      const answer = registrationData.others.find(({ qId }) => `q${qId}` === column)?.answer
      return Array.isArray(answer) ? answer.join(', ') : (answer ?? null)
    }
  }
}

/** What the club has of an attendee's payment; what was given back stands below. */
function paidOf({ registration: { status, amount, currency }, payment }: AttendeeRow): React.ReactNode {
  if (!payment) {
    if (status !== 'pending') return null
    return (
      <>
        <span className={`badge warm ${styles.line}`}>{texts.notPaidYet()}</span>{' '}
        {amount > 0 && <span className="muted">{formatPrice(amount, currency)}</span>}
      </>
    )
  }
  const back = payment.refunded + payment.lost
  const returned = { amount: formatPrice(back, payment.currency) }
  return (
    <>
      {formatPrice(payment.paid - back, payment.currency)}{' '}
      {back > 0 && (
        <span className="muted small">
          {payment.lost > 0 ? texts.returnedOrLost(returned) : texts.givenBack(returned)}
        </span>
      )}
    </>
  )
}

/** Leads to all who were registered together; nothing for somebody alone. Below the head of its column a few words are enough. */
function OrderLink({ row: { registration, peopleInOrder }, isShort }: { row: AttendeeRow; isShort: boolean }) {
  if (peopleInOrder === 1) return null
  const sentence = texts.peopleOfOrder({ count: peopleInOrder })
  return (
    <Link
      to={`?order=${registration.orderId}`}
      className={styles.line}
      {...(isShort && { title: sentence, 'aria-label': sentence })}
    >
      {isShort ? texts.people({ count: peopleInOrder }) : sentence}
    </Link>
  )
}

function Phone({ phone }: { phone: string }) {
  return <span className={styles.line}>{usePhoneFormat()(phone)}</span>
}

/** How many of an attendee's vouchers are used up; nothing without vouchers, or while they are not paid and cannot be used. */
function Used({ row: { registration, extras } }: { row: AttendeeRow }) {
  if (extras.length === 0 || registration.status !== 'confirmed') return null
  return (
    <span className={styles.line}>
      {texts.redeemedOf({ used: extras.filter(({ status }) => status).length, count: extras.length })}
    </span>
  )
}

function Cell({ children }: { children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual table cannot be a <table>.
    <div className={styles.cell} role="cell">
      {children}
    </div>
  )
}
