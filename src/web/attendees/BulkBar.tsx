import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { attendeeApi, type bulkActions, MOST_AT_ONCE } from '../../contract/attendees.ts'
import type { Event } from '../../contract/event.ts'
import { call } from '../api/call.ts'
import { download } from '../api/download.ts'
import { useCall } from '../api/query.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import { MoreButton } from '../ui/menus/MoreButton.tsx'
import { notify } from '../ui/notices/notify.ts'
import { plural } from '../ui/plural.ts'
import type { filtersOf } from './attendee-list.ts'
import styles from './BulkBar.module.css'

type Action = (typeof bulkActions)[number]

const done: Readonly<Record<Action, string>> = {
  resend: 'tickets on their way',
  'check in': 'checked in',
  cancel: 'cancelled',
}

interface Props {
  event: Event
  ids: number[]
  /** How many attendees match the filters. */
  total: number
  filters: ReturnType<typeof filtersOf>
  onAll: (ids: number[]) => void
  onDone: () => void
}

/** Bulk actions on the selected attendees, sent to the server in batches of a thousand. */
export function BulkBar({ event, ids, total, filters, onAll, onDone }: Props) {
  const change = useCall(attendeeApi.changeMany)
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  // To the checkbox that was pressed first.
  useFocusReturn()
  const people = plural(ids.length, 'registration', 'registrations')

  async function act(action: Action): Promise<void> {
    setAsked(false)
    let changed = 0
    try {
      for (let from = 0; from < ids.length; from += MOST_AT_ONCE) {
        const registrationIds = ids.slice(from, from + MOST_AT_ONCE)
        changed += (await change.mutateAsync({ payload: { eventId: event.id, registrationIds, action } })).changed
      }
    } catch (error) {
      // Earlier batches stay done; a repetition skips them.
      if (changed > 0) notify('info', `${changed} ${done[action]}, then it stopped. Do it again for the rest.`)
      throw error
    }
    const unchanged = ids.length - changed
    const rest = unchanged === 0 ? '' : ` ${unchanged} stayed as they were, because it is not possible for them.`
    notify(changed === 0 ? 'info' : 'success', `${changed} ${done[action]}.${rest}`)
    onDone()
  }
  /** A refusal has been shown by the call itself. */
  const start = (work: Promise<void>) => {
    setBusy(true)
    void work.catch(() => {}).finally(() => setBusy(false))
  }
  const chooseAll = async () => onAll(await call(attendeeApi.getAttendeeIds, { eventId: event.id, ...filters }))
  async function save(): Promise<void> {
    const isAll = ids.length === total
    // A URL cannot hold more ids.
    if (!isAll && ids.length > MOST_AT_ONCE)
      return notify('info', `Choose all ${total}, or at most ${MOST_AT_ONCE.toLocaleString('en-GB')}, to export them.`)
    const which = isAll ? filters : { registrationIds: ids }
    await download(attendeeApi.downloadAttendees, { eventId: event.id, ...which })
  }
  const close = () => {
    setAsked(false)
    // The entry of the menu that opened the dialog is gone.
    more.current?.focus()
  }
  const resend = () => start(act('resend'))
  return (
    <section className={styles.bulk} aria-label="With those chosen">
      <p className={styles.count}>
        <strong role="status">
          {ids.length.toLocaleString('en-GB')} of {total.toLocaleString('en-GB')} chosen
        </strong>{' '}
        {ids.length < total && (
          <button type="button" className="link" disabled={isBusy} onClick={() => start(chooseAll())}>
            Choose all {total.toLocaleString('en-GB')}
          </button>
        )}
      </p>
      <Button loading={isBusy} onClick={() => start(act('check in'))}>
        Check in
      </Button>
      <Button className={styles.roomy} variant="light" loading={isBusy} onClick={resend}>
        Send tickets again
      </Button>
      <Menu position="bottom-end" width={240} withinPortal={false}>
        <Menu.Target>
          <MoreButton ref={more} of="those chosen" isCompact disabled={isBusy} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item className={styles.tight} onClick={resend}>
            Send tickets again
          </Menu.Item>
          <Menu.Item onClick={() => start(save())}>Export these</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="var(--bad)" onClick={() => setAsked(true)}>
            Cancel registrations
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ActionIcon variant="subtle" size={40} aria-label="Clear selection" onClick={onDone}>
        <IconX size={20} aria-hidden />
      </ActionIcon>
      <RemovalDialog
        title={`Cancel ${people}?`}
        action="Cancel them"
        isOpen={isAsked}
        isBusy={isBusy}
        onConfirm={() => start(act('cancel'))}
        onClose={close}
      >
        <p>Their places are free again, their tickets no longer let anybody in, and they are told by mail.</p>
      </RemovalDialog>
    </section>
  )
}
