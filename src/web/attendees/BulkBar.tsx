import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { attendeeApi, type bulkActions, MOST_AT_ONCE } from '../../contract/attendees.ts'
import type { Event } from '../../contract/event.ts'
import * as texts from '../../texts/generated/attendees.ts'
import { formatNumber } from '../../texts/numbers.ts'
import { call } from '../api/call.ts'
import { download } from '../api/download.ts'
import { useCall } from '../api/query.ts'
import { useMay } from '../session/may.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import { MoreButton } from '../ui/menus/MoreButton.tsx'
import { notify } from '../ui/notices/notify.ts'
import type { filtersOf } from './attendee-list.ts'
import styles from './BulkBar.module.css'

type Action = (typeof bulkActions)[number]

const doneTexts: Readonly<Record<Action, (p: { count: number }) => string>> = {
  resend: texts.resent,
  'check in': texts.checkedIn,
  cancel: texts.cancelledMany,
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
  const may = useMay()
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  // To the checkbox that was pressed first.
  useFocusReturn()

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
      if (changed > 0) notify('info', texts.thenStopped({ done: doneTexts[action]({ count: changed }) }))
      throw error
    }
    const unchanged = ids.length - changed
    const done = doneTexts[action]({ count: changed })
    notify(changed === 0 ? 'info' : 'success', unchanged === 0 ? done : texts.unchanged({ done, count: unchanged }))
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
      return notify('info', texts.exportLimit({ all: formatNumber(total), most: formatNumber(MOST_AT_ONCE) }))
    const which = isAll ? filters : { registrationIds: ids }
    await download(attendeeApi.downloadAttendees, { eventId: event.id, ...which })
  }
  const resend = () => start(act('resend'))
  return (
    <section className={styles.bulk} aria-label={texts.withThoseChosen()}>
      <p className={styles.count}>
        <strong role="status">{texts.chosenOf({ chosen: formatNumber(ids.length), all: formatNumber(total) })}</strong>{' '}
        {ids.length < total && (
          <button type="button" className="link" disabled={isBusy} onClick={() => start(chooseAll())}>
            {texts.chooseAll({ all: formatNumber(total) })}
          </button>
        )}
      </p>
      {may('attendees') && (
        <>
          <Button loading={isBusy} onClick={() => start(act('check in'))}>
            {texts.checkIn()}
          </Button>
          <Button className={styles.roomy} variant="light" loading={isBusy} onClick={resend}>
            {texts.sendTicketsAgain()}
          </Button>
        </>
      )}
      <Menu position="bottom-end" width={240} withinPortal={false}>
        <Menu.Target>
          <MoreButton of={texts.thoseChosen()} isCompact disabled={isBusy} />
        </Menu.Target>
        <Menu.Dropdown>
          {may('attendees') && (
            <Menu.Item className={styles.tight} onClick={resend}>
              {texts.sendTicketsAgain()}
            </Menu.Item>
          )}
          {may('export') && <Menu.Item onClick={() => start(save())}>{texts.exportThese()}</Menu.Item>}
          {may('attendees') && (
            <>
              <Menu.Divider />
              <Menu.Item color="var(--bad)" onClick={() => setAsked(true)}>
                {texts.cancelRegistrations()}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <ActionIcon variant="subtle" size={44} aria-label={texts.clearSelection()} onClick={onDone}>
        <IconX size={20} aria-hidden />
      </ActionIcon>
      <RemovalDialog
        title={texts.cancelMany({ count: ids.length })}
        action={texts.cancelThem()}
        isOpen={isAsked}
        isBusy={isBusy}
        onConfirm={() => start(act('cancel'))}
        onClose={() => setAsked(false)}
      >
        <p>{texts.cancelManyText()}</p>
      </RemovalDialog>
    </section>
  )
}
