import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { Event } from '../../contract/events.ts'
import { type bulkActions, MOST_AT_ONCE, registrationApi } from '../../contract/registrations.ts'
import { useCall } from '../api/call.ts'
import { download } from '../api/download.ts'
import { notify } from '../ui/notify.ts'
import { plural } from '../ui/plural.ts'
import { RemovalDialog } from '../ui/RemovalDialog.tsx'

type Action = (typeof bulkActions)[number]

const done: Readonly<Record<Action, string>> = {
  resend: 'tickets on their way',
  'check in': 'checked in',
  cancel: 'cancelled',
}

/** What can be done with all that are chosen. */
export function BulkBar({ event, ids, onDone }: { event: Event; ids: number[]; onDone: () => void }) {
  const change = useCall(registrationApi.changeMany)
  const [isAsked, setAsked] = useState(false)
  const isTooMany = ids.length > MOST_AT_ONCE

  async function act(action: Action): Promise<void> {
    setAsked(false)
    const { changed, unchanged } = await change.mutateAsync({
      payload: { eventId: event.id, registrationIds: ids, action },
    })
    const rest = unchanged === 0 ? '' : ` ${unchanged} stayed as they were, because it is not possible for them.`
    notify(changed === 0 ? 'info' : 'success', `${changed} ${done[action]}.${rest}`)
    onDone()
  }
  // A refusal has been shown by the call itself.
  const start = (action: Action) => void act(action).catch(() => {})
  const save = () =>
    void download(registrationApi.downloadAttendees, { eventId: event.id, registrationIds: ids }).catch(() => {})
  return (
    <section className="card bulk" aria-label="With those chosen">
      <Group>
        <strong role="status">{ids.length} chosen</strong>
        {isTooMany && <span className="error">At most {MOST_AT_ONCE.toLocaleString('en-GB')} at once.</span>}
        <Button variant="light" loading={change.isPending} disabled={isTooMany} onClick={() => start('resend')}>
          Send tickets again
        </Button>
        <Button variant="light" loading={change.isPending} disabled={isTooMany} onClick={() => start('check in')}>
          Check in
        </Button>
        <Button variant="light" disabled={isTooMany} onClick={save}>
          Export
        </Button>
        <Button variant="light" color="red" disabled={isTooMany} onClick={() => setAsked(true)}>
          Cancel
        </Button>
        <Button variant="subtle" onClick={onDone}>
          Choose none
        </Button>
      </Group>
      <RemovalDialog
        title={`Cancel ${plural(ids.length, 'registration', 'registrations')}?`}
        action="Cancel them"
        isOpen={isAsked}
        isBusy={change.isPending}
        onConfirm={() => start('cancel')}
        onClose={() => setAsked(false)}
      >
        <p>Their places are free again, their tickets no longer let anybody in, and they are told by mail.</p>
      </RemovalDialog>
    </section>
  )
}
