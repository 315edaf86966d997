import { ActionIcon, Drawer, Group, Stack } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { AttendeeRow } from '../../../contract/attendees.ts'
import type { Event } from '../../../contract/event.ts'
import type { PaymentSummary } from '../../../contract/registrations.ts'
import { ticketApi } from '../../../contract/tickets.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import { shortCode } from '../../../contract/values/ticket-codes.ts'
import * as texts from '../../../texts/generated/attendees.ts'
import * as retentionTexts from '../../../texts/generated/retention.ts'
import type { Message } from '../../../texts/language.ts'
import { formatNumber } from '../../../texts/numbers.ts'
import { query } from '../../api/query.ts'
import { Problem } from '../../layouts/Problem.tsx'
import type { Ticket } from '../../registrations/ticket/ticket.ts'
import { IsNested } from '../../ui/dialogs/nested.ts'
import { keepFocus } from '../../ui/dialogs/use-focus-return.ts'
import { useTopmost } from '../../ui/dialogs/use-topmost.ts'
import { Loading } from '../../ui/Loading.tsx'
import { Parts } from '../../ui/Parts.tsx'
import { StatusBadges } from '../StatusBadges.tsx'
import { usePhoneFormat } from '../use-phone-format.ts'
import { AttendeeActions } from './AttendeeActions.tsx'
import styles from './AttendeePanel.module.css'
import { PanelVouchers } from './PanelVouchers.tsx'
import { stepsFrom } from './steps.ts'
import { Timeline } from './Timeline.tsx'
import { useStepKeys } from './use-step-keys.ts'

interface Props {
  event: Event
  id: number
  /** The list, to step through. */
  rows: readonly AttendeeRow[]
  total: number
  onOpen: (id: number) => void
  onClose: () => void
}

/** A ticket with what only the list knows: whether its holder has gone out. */
function withOutSince(ticket: Ticket, row: AttendeeRow | undefined) {
  return { ...ticket, checkin: ticket.checkin && { ...ticket.checkin, outSince: row?.checkin?.outSince ?? null } }
}

/** One attendee beside the list: answers, history and all actions. The arrow keys step through the list. */
export function AttendeePanel({ event, id, rows, total, onOpen, onClose }: Props) {
  const ticket = useQuery(query(ticketApi.getRegistration, { registrationId: id }))
  const close = useTopmost(true, onClose)
  const ids = rows.map(({ rId }) => rId)
  const at = ids.indexOf(id)
  // Where somebody was before an action took them out of the list.
  const [lastAt, setLastAt] = useState(at)
  if (at !== -1 && at !== lastAt) setLastAt(at)
  const steps = stepsFrom(ids, id, lastAt)
  useStepKeys(steps, onOpen)
  const shown = useRef(id)
  useEffect(() => {
    // A button that had the focus may be gone with the previous attendee.
    if (shown.current !== id) keepFocus()
    shown.current = id
  }, [id])
  // The list knows the name before the rest is loaded.
  const known = ticket.data ? withOutSince(ticket.data, rows[at]) : rows[at]
  const name = known && (known.registration.registrationData.name || retentionTexts.dataDeleted())
  const step = (label: string, to: number | undefined, Icon: typeof IconChevronUp) => (
    <ActionIcon
      variant="default"
      size={44}
      aria-label={label}
      // Not `disabled`, which would lose the focus at the ends of the list.
      aria-disabled={to === undefined}
      data-disabled={to === undefined}
      onClick={() => to !== undefined && onOpen(to)}
    >
      <Icon size={20} aria-hidden />
    </ActionIcon>
  )
  const title = (
    <Group gap="xs">
      <span>
        <strong>#{String(id).padStart(5, '0')}</strong>
        {at !== -1 && (
          <span className={styles.place}>
            {texts.placeOf({ position: formatNumber(at + 1), count: formatNumber(total) })}
          </span>
        )}
      </span>
      {step(texts.previous(), steps.before, IconChevronUp)}
      {step(texts.next(), steps.after, IconChevronDown)}
    </Group>
  )
  return (
    <Drawer opened onClose={close} position="right" size={520} title={title}>
      <p className={styles.announced} role="status">
        {name}
      </p>
      <Stack>
        {known && (
          <div className={styles.person}>
            <h2>{name}</h2>
            <StatusBadges event={event} row={{ ...known, mail: rows[at]?.mail ?? null }} />
          </div>
        )}
        {ticket.data ? (
          <IsNested value={true}>
            <Details
              key={id}
              event={event}
              ticket={ticket.data}
              mail={rows[at]?.mail ?? null}
              code={rows[at]?.code ?? null}
              onClose={onClose}
            />
          </IsNested>
        ) : ticket.error?.code === 'NOT_FOUND' ? (
          <p>{texts.registrationGone()}</p>
        ) : ticket.error ? (
          <Problem error={ticket.error} resetErrorBoundary={() => void ticket.refetch()} />
        ) : (
          <Loading />
        )}
      </Stack>
    </Drawer>
  )
}

interface DetailsProps {
  event: Event
  ticket: Ticket
  mail: AttendeeRow['mail']
  code: AttendeeRow['code']
  onClose: () => void
}

function Details({ event, ticket, mail, code, onClose }: DetailsProps) {
  const { registration } = ticket
  const { email, phone, others } = registration.registrationData
  const formatPhone = usePhoneFormat()
  return (
    <>
      <AttendeeActions event={event} ticket={ticket} mail={mail} onClose={onClose} />
      {ticket.payment && <PaymentLine payment={ticket.payment} isCancelled={registration.status === 'cancelled'} />}
      <PanelVouchers event={event} ticket={ticket} />
      <dl className={styles.details}>
        {ticket.ticketType && (
          <>
            <dt>{texts.columnTicket()}</dt>
            <dd>{ticket.ticketType.name}</dd>
          </>
        )}
        {(code !== null || registration.discount > 0) && (
          <>
            <dt>{texts.codeUsed()}</dt>
            <dd>
              {[
                code,
                registration.discount > 0 &&
                  texts.lessWithCode({ amount: formatPrice(registration.discount, registration.currency) }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </dd>
          </>
        )}
        {ticket.peopleInOrder > 1 && (
          <>
            <dt>{texts.columnOrder()}</dt>
            <dd>
              <Link to={`?order=${registration.orderId}`}>{texts.peopleOfOrder({ count: ticket.peopleInOrder })}</Link>
            </dd>
          </>
        )}
        <dt>{texts.columnEmail()}</dt>
        <dd>{email ? <a href={`mailto:${email}`}>{email}</a> : texts.none()}</dd>
        <dt>{texts.columnPhone()}</dt>
        <dd>{phone ? <a href={`tel:${phone}`}>{formatPhone(phone)}</a> : texts.none()}</dd>
        {/* Told only to those who may send tickets. */}
        {registration.qrUuid !== '' && (
          <>
            <dt>{texts.code()}</dt>
            <dd>{shortCode(registration)}</dd>
          </>
        )}
        {others.map(({ qId, question, answer }) => (
          <div key={qId}>
            <dt>{question}</dt>
            <dd>{Array.isArray(answer) ? answer.join(', ') : answer}</dd>
          </div>
        ))}
      </dl>
      <Timeline event={event} registrationId={registration.id} />
    </>
  )
}

/** Stripe's statuses of a dispute (https://docs.stripe.com/api/disputes/object). */
const disputeStates: Readonly<Record<string, Message>> = {
  warning_needs_response: texts.disputeWaits,
  warning_under_review: texts.disputeInReview,
  warning_closed: texts.disputeClosed,
  needs_response: texts.disputeWaits,
  under_review: texts.disputeInReview,
  won: texts.disputeWon,
  lost: texts.disputeLost,
  prevented: texts.disputeClosed,
}

function PaymentLine({ payment, isCancelled }: { payment: PaymentSummary; isCancelled: boolean }) {
  const { paid, refunded, lost, currency, dispute, atDoor, atDoorLeft } = payment
  const amounts = {
    amount: formatPrice(paid, currency),
    back: formatPrice(refunded, currency),
    lost: formatPrice(lost, currency),
  }
  const text =
    refunded > 0
      ? lost > 0
        ? texts.paidBackLost(amounts)
        : texts.paidBack(amounts)
      : lost > 0
        ? texts.paidLost(amounts)
        : atDoor === paid
          ? texts.paidAtDoor(amounts)
          : texts.paidByCard(amounts)
  return (
    <p className={styles.payment}>
      {dispute === null ? (
        text
      ) : (
        <Parts
          of={texts.thenDisputed({
            text,
            state: disputeStates[dispute]?.() ?? dispute.replaceAll('_', ' '),
            strong: (part) => <strong>{part}</strong>,
          })}
        />
      )}
      {isCancelled && atDoorLeft > 0 && (
        <strong> {texts.refundByHand({ amount: formatPrice(atDoorLeft, currency) })}</strong>
      )}
    </p>
  )
}
