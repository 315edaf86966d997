import { ActionIcon, Drawer, Group, Stack } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AttendeeRow } from '../../../contract/attendees.ts'
import type { Event } from '../../../contract/event.ts'
import { type PaymentSummary, registrationApi } from '../../../contract/registrations.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import { shortCode } from '../../../contract/values/ticket-codes.ts'
import { query } from '../../api/query.ts'
import { Problem } from '../../layouts/Problem.tsx'
import type { Ticket } from '../../registrations/ticket/ticket.ts'
import { IsNested } from '../../ui/dialogs/nested.ts'
import { keepFocus } from '../../ui/dialogs/use-focus-return.ts'
import { useTopmost } from '../../ui/dialogs/use-topmost.ts'
import { Loading } from '../../ui/Loading.tsx'
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

/** One attendee beside the list: answers, history and all actions. The arrow keys step through the list. */
export function AttendeePanel({ event, id, rows, total, onOpen, onClose }: Props) {
  const ticket = useQuery(query(registrationApi.getRegistration, { registrationId: id }))
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
  const known = ticket.data ?? rows[at]
  const name = known?.registration.registrationData.name
  const step = (label: string, to: number | undefined, Icon: typeof IconChevronUp) => (
    <ActionIcon
      variant="default"
      size={40}
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
            {(at + 1).toLocaleString('en-GB')} of {total.toLocaleString('en-GB')}
          </span>
        )}
      </span>
      {step('Previous attendee', steps.before, IconChevronUp)}
      {step('Next attendee', steps.after, IconChevronDown)}
    </Group>
  )
  return (
    <Drawer opened onClose={close} position="right" size="lg" title={title}>
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
            <Details key={id} event={event} ticket={ticket.data} onClose={onClose} />
          </IsNested>
        ) : ticket.error?.code === 'NOT_FOUND' ? (
          <p>This registration is no longer there.</p>
        ) : ticket.error ? (
          <Problem error={ticket.error} resetErrorBoundary={() => void ticket.refetch()} />
        ) : (
          <Loading />
        )}
      </Stack>
    </Drawer>
  )
}

function Details({ event, ticket, onClose }: { event: Event; ticket: Ticket; onClose: () => void }) {
  const { registration } = ticket
  const { email, phone, others } = registration.registrationData
  const formatPhone = usePhoneFormat()
  return (
    <>
      <AttendeeActions event={event} ticket={ticket} onClose={onClose} />
      {ticket.payment && <PaymentLine payment={ticket.payment} />}
      <PanelVouchers event={event} ticket={ticket} />
      <dl className={styles.details}>
        <dt>E-mail</dt>
        <dd>{email ? <a href={`mailto:${email}`}>{email}</a> : 'None'}</dd>
        <dt>Phone</dt>
        <dd>{phone ? <a href={`tel:${phone}`}>{formatPhone(phone)}</a> : 'None'}</dd>
        <dt>Code</dt>
        <dd>{shortCode(registration)}</dd>
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

function PaymentLine({ payment: { paid, refunded, lost, currency, dispute } }: { payment: PaymentSummary }) {
  return (
    <p className={styles.payment}>
      {formatPrice(paid, currency)} paid by card
      {refunded > 0 && `, ${formatPrice(refunded, currency)} given back`}
      {lost > 0 && `, ${formatPrice(lost, currency)} lost in a dispute`}
      {dispute && <strong>. The payment is disputed ({dispute.replaceAll('_', ' ')}).</strong>}
    </p>
  )
}
