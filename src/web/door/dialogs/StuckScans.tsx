import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { formatTime } from '../../../contract/values/dates.ts'
import { useFocusReturn } from '../../ui/dialogs/use-focus-return.ts'
import { notify } from '../../ui/notices/notify.ts'
import type { Door, DoorView } from '../phone/door.ts'
import { dismissStuck, sendStuckAgain } from '../phone/send-queue.ts'
import type { QueueEntry } from '../rules/queue-entry.ts'
import styles from './scan-list.module.css'

interface Props {
  door: Door
  view: DoorView
  onClose: () => void
}

/** This phone's scans that the server did not accept, by name: to be sent again or handled by staff. */
export function StuckDialog({ door, view, onClose }: Props) {
  useFocusReturn()
  const [busy, setBusy] = useState<string | null>(null)
  const again = async (entry: QueueEntry) => {
    setBusy(entry.scanId)
    await sendStuckAgain(door, entry).catch(() => notify('error', 'No connection. It is sent when there is network.'))
    setBusy(null)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title="Scans that could not be sent"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {view.stuck.length === 0 ? (
        <p role="status">There are none any more.</p>
      ) : (
        <p className="muted">
          Turnout did not take these. Try again, or look the person up in the attendee list, put it right there and
          choose “Done”.
        </p>
      )}
      <ul className={styles.list}>
        {view.stuck.map((entry) => {
          const name = nameOf(view, entry)
          return (
            <li key={entry.scanId}>
              <strong>{name}</strong>
              <p>
                {actOf(entry)} {timeOf(view, entry)}. {entry.problem}
              </p>
              <Group gap="xs">
                <Button
                  size="sm"
                  loading={busy === entry.scanId}
                  onClick={() => void again(entry)}
                  aria-label={`Try again: ${name}`}
                >
                  Try again
                </Button>
                <Button
                  size="sm"
                  variant="default"
                  onClick={() => void dismissStuck(door, entry)}
                  aria-label={`Done: ${name}`}
                >
                  Done
                </Button>
              </Group>
            </li>
          )
        })}
      </ul>
    </Modal>
  )
}

function nameOf({ list, recent }: DoorView, { ticketId }: QueueEntry): string {
  const known = list?.tickets.get(ticketId) ?? recent.find((scan) => scan.ticketId === ticketId && !scan.purchase)
  return known?.name ?? `Ticket no. ${ticketId}`
}

function actOf({ act, purchase }: QueueEntry): string {
  const what = purchase?.units.map(({ name, count }) => `${count} × ${name}`).join(', ')
  if (act.kind === 'undo') return what ? `${what} taken back` : 'Taken back'
  return what ? `${what} given out` : 'Let in'
}

function timeOf({ list }: DoorView, { made }: QueueEntry): string {
  const at = new Date(made.clock + made.ahead)
  return `at ${formatTime(at, list?.event.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)}`
}
