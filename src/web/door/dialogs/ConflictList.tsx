import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Conflict, type DoorEvent, doorApi } from '../../../contract/door.ts'
import { formatDate, formatTime } from '../../../contract/values/dates.ts'
import { query, useCall } from '../../api/query.ts'
import { Problem } from '../../layouts/Problem.tsx'
import { useFocusReturn } from '../../ui/dialogs/use-focus-return.ts'
import { Loading } from '../../ui/Loading.tsx'
import styles from './scan-list.module.css'

type ForEvent = Pick<DoorEvent, 'id' | 'timeZone'>

/** The conflicts of an event, over the scanner's page. */
export function ConflictDialog({ event, onClose }: { event: ForEvent; onClose: () => void }) {
  useFocusReturn()
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title="Let in against the list"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ConflictList event={event} />
    </Modal>
  )
}

/** The conflicts of an event as a card on another page; nothing while there are none. */
export function ConflictCard({ event }: { event: ForEvent }) {
  const { data = [] } = useQuery(query(doorApi.getConflicts, { eventId: event.id }))
  if (data.length === 0) return null
  return (
    <section className="card" id="conflicts" aria-labelledby="conflicts-title">
      <h2 id="conflicts-title">Let in against the list</h2>
      <ConflictList event={event} />
    </section>
  )
}

/** Tickets that a phone without network let in although they were not valid, and who has looked into it. */
function ConflictList({ event }: { event: ForEvent }) {
  const conflicts = useQuery(query(doorApi.getConflicts, { eventId: event.id }))
  const see = useCall(doorApi.seeConflicts)
  if (conflicts.isPending) return <Loading />
  if (conflicts.isError) return <Problem error={conflicts.error} resetErrorBoundary={() => void conflicts.refetch()} />
  if (conflicts.data.length === 0) return <p>There are none.</p>
  return (
    <>
      <p className="muted">A phone without network could not know better when it let these in.</p>
      <ul className={styles.list}>
        {conflicts.data.map((conflict) => (
          <li key={conflict.scanId}>
            <strong>{conflict.name ?? `Ticket no. ${conflict.registrationId}, removed since`}</strong>
            <p>{reasonOf(conflict, event.timeZone)}</p>
            <p>
              {conflict.voucher
                ? describeEntry(`Given out (${conflict.voucher})`, conflict.scan, event.timeZone)
                : describeEntry(
                    conflict.code === 'ALREADY_CHECKED_IN' ? 'Let in again' : 'Let in',
                    conflict.scan,
                    event.timeZone,
                  )}
            </p>
            {conflict.seenAt === null ? (
              <Button
                variant="light"
                loading={see.isPending}
                onClick={() => see.mutate({ payload: { eventId: event.id, scanIds: [conflict.scanId] } })}
                aria-label={`Done: ${conflict.name ?? `ticket no. ${conflict.registrationId}`}`}
              >
                Done
              </Button>
            ) : (
              <p className="muted small">
                Done by {conflict.seenBy}, {formatMoment(conflict.seenAt, event.timeZone)}
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

const reasons: Readonly<Record<string, string>> = {
  EVENT_CANCELLED: 'The event had been cancelled.',
  TICKET_CANCELLED: 'The ticket had been cancelled.',
  TICKET_UNPAID: 'The ticket had not been paid.',
  NOT_FOUND: 'The registration had been removed.',
}

function reasonOf({ code, first, voucher }: Conflict, timeZone: string): string {
  if (voucher)
    return code === 'ALREADY_REDEEMED' ? 'So much of it was not left.' : (reasons[code] ?? 'It was not valid.')
  const reason = reasons[code] ?? 'The ticket was not valid.'
  if (!first) return reason
  const earlier = describeEntry('First let in', first, timeZone)
  return code === 'ALREADY_CHECKED_IN' ? earlier : `${reason} ${earlier}`
}

function describeEntry(what: string, { at, by, device }: Conflict['scan'], timeZone: string): string {
  return `${what} ${formatMoment(at, timeZone)} by ${by}${device ? ` on ${device}` : ''}`
}

function formatMoment(at: Date, timeZone: string): string {
  return `${formatDate(at, timeZone)} ${formatTime(at, timeZone)}`
}
