import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { formatTime } from '../../../contract/values/dates.ts'
import * as texts from '../../../texts/generated/door.ts'
import * as walkInTexts from '../../../texts/generated/walkIns.ts'
import { RegistrationDialog } from '../../attendees/RegistrationDialog.tsx'
import { useFocusReturn } from '../../ui/dialogs/use-focus-return.ts'
import { useListFocus } from '../../ui/dialogs/use-list-focus.ts'
import { notify } from '../../ui/notices/notify.ts'
import type { Door, DoorView } from '../phone/door.ts'
import { dismissStuck, sendStuckAgain } from '../phone/send-queue.ts'
import type { QueueEntry } from '../rules/queue-entry.ts'
import { correctStuck } from '../walk-ins/save-at-door.ts'
import { Contact } from './Contact.tsx'
import styles from './scan-list.module.css'

interface Props {
  door: Door
  view: DoorView
  onClose: () => void
}

/** This phone's scans that the server did not accept, by name: to be sent again or handled by staff. */
export function StuckDialog({ door, view, onClose }: Props) {
  useFocusReturn()
  const focus = useListFocus<HTMLUListElement>()
  const [busy, setBusy] = useState<string | null>(null)
  const [changed, setChanged] = useState<QueueEntry | null>(null)
  const again = async (entry: QueueEntry) => {
    setBusy(entry.scanId)
    await sendStuckAgain(door, entry).catch(() => notify('error', texts.sentLater()))
    setBusy(null)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={texts.stuckHeading()}
      closeButtonProps={{ 'aria-label': texts.close() }}
    >
      {view.stuck.length === 0 ? (
        <p role="status">{texts.noneStuck()}</p>
      ) : (
        <p className="muted">{texts.stuckText()}</p>
      )}
      <ul className={styles.list} {...focus}>
        {view.stuck.map((entry) => {
          const name = nameOf(view, entry)
          return (
            <li key={entry.scanId} tabIndex={-1}>
              <strong>{name}</strong>
              <p>
                {actOf(view, entry)} {entry.problem}
              </p>
              {entry.act.kind === 'walk-in' && <Contact {...entry.act.registrationData} />}
              <Group gap="xs">
                <Button
                  size="sm"
                  loading={busy === entry.scanId}
                  onClick={() => void again(entry)}
                  aria-label={texts.tryAgainOf({ name })}
                >
                  {texts.tryAgain()}
                </Button>
                {entry.act.kind === 'walk-in' && view.list && (
                  <Button
                    size="sm"
                    variant="light"
                    onClick={() => setChanged(entry)}
                    aria-label={walkInTexts.changeOf({ name })}
                  >
                    {walkInTexts.change()}
                  </Button>
                )}
                <Button
                  size="sm"
                  variant="default"
                  onClick={() => void dismissStuck(door, entry)}
                  aria-label={texts.doneOf({ name })}
                >
                  {texts.done()}
                </Button>
              </Group>
            </li>
          )
        })}
      </ul>
      {changed?.act.kind === 'walk-in' && view.list && (
        <RegistrationDialog
          event={view.list.event}
          registration={null}
          draft={{ ...changed.act, ticketTypeId: changed.act.ticketTypeId ?? null }}
          isOffline={view.connection !== 'online'}
          add={(wish) => correctStuck(door, changed, wish)}
          onClose={() => setChanged(null)}
        />
      )}
    </Modal>
  )
}

function nameOf({ list, recent }: DoorView, { ticketId, act }: QueueEntry): string {
  if (act.kind === 'walk-in') return act.registrationData.name
  const undone = act.kind === 'undo' ? recent.find(({ scanId }) => scanId === act.scanId) : undefined
  const known =
    undone ?? list?.tickets.get(ticketId) ?? recent.find((scan) => scan.ticketId === ticketId && !scan.purchase)
  return known?.name ?? texts.ticketNo({ id: ticketId })
}

function actOf({ list }: DoorView, { act, purchase, made }: QueueEntry): string {
  const units = purchase?.units.map(({ name, count }) => `${count} × ${name}`).join(', ')
  const at = new Date(made.clock + made.ahead)
  const time = formatTime(at, list?.event.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  if (act.kind === 'undo') return units ? texts.unitsTakenBackAt({ units, time }) : texts.takenBackAt({ time })
  return units ? texts.unitsGivenOutAt({ units, time }) : texts.letInAt({ time })
}
