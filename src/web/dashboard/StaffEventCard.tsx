import { Button, Menu, Progress } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Event, eventApi } from '../../contract/events.ts'
import { useCall } from '../api/query.ts'
import { EventFacts } from '../events/EventFacts.tsx'
import styles from '../events/event-card.module.css'
import { paths } from '../paths.ts'
import { baseUrl } from '../site.ts'
import { openContact } from '../ui/contact-link.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { notify } from '../ui/notices/notify.ts'
import { plural } from '../ui/plural.ts'

const statuses = {
  draft: { name: 'Draft', look: 'badge' },
  published: { name: 'Published', look: 'badge good' },
  cancelled: { name: 'Cancelled', look: 'badge bad' },
} as const

/** An event with its seats and all that staff can do with it. */
export function StaffEventCard({ event }: { event: Event }) {
  const save = useCall(eventApi.save)
  const { id, status, maxAttendees, registrationCount } = event
  const { name: statusName, look } = statuses[status]
  return (
    <article className={`card ${styles.eventCard}`}>
      <div>
        <div className="row spread tight">
          <span className={look}>{statusName}</span>
          <MoreActions event={event} />
        </div>
        <h3>{event.name}</h3>
        <EventFacts event={event} />
        <div>
          <p className="small">
            <strong>{registrationCount}</strong>
            {maxAttendees === null ? ' registered' : ` of ${maxAttendees} places taken`}
          </p>
          {maxAttendees !== null && (
            <Progress value={(100 * registrationCount) / maxAttendees} aria-label={`Places taken of ${event.name}`} />
          )}
        </div>
        <div className="row">
          {status === 'draft' && (
            <Button loading={save.isPending} onClick={() => save.mutate({ id, status: 'published' })}>
              Publish
            </Button>
          )}
          {status === 'published' && (
            <Button component={Link} to={paths.scanner(id)}>
              Open scanner
            </Button>
          )}
          <Button component={Link} to={paths.attendees(id)} variant="light">
            Attendees
          </Button>
          <Button component={Link} to={paths.editEvent(id)} variant="light">
            Edit
          </Button>
        </div>
      </div>
    </article>
  )
}

function MoreActions({ event }: { event: Event }) {
  const save = useCall(eventApi.save)
  const remove = useCall(eventApi.removeEvent)
  const [asked, setAsked] = useState<'cancel' | 'remove' | null>(null)
  const { id, name, status, registrationCount } = event
  const url = baseUrl() + paths.event(event)
  const close = () => setAsked(null)
  const people = plural(registrationCount, 'registration', 'registrations')
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="subtle" size="compact-md" aria-label={`More for ${name}`}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to={paths.form(id)}>
            Registration form
          </Menu.Item>
          <Menu.Item component={Link} to={paths.vouchers(id)}>
            Vouchers
          </Menu.Item>
          <Menu.Item component={Link} to={paths.statistics(id)}>
            Statistics
          </Menu.Item>
          {status === 'published' && (
            <>
              <Menu.Item component="a" href={paths.event(event)}>
                View page
              </Menu.Item>
              <Menu.Item onClick={() => void copy(url)}>Copy the page’s address</Menu.Item>
              <Menu.Item onClick={() => openContact('', `${name}: ${url}`)}>Share in a chat</Menu.Item>
            </>
          )}
          <Menu.Divider />
          {status === 'published' && (
            <Menu.Item color="red" onClick={() => setAsked('cancel')}>
              Cancel the event
            </Menu.Item>
          )}
          <Menu.Item color="red" onClick={() => setAsked('remove')}>
            Remove the event
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RemovalDialog
        title={`Cancel ${name}?`}
        name={name}
        action="Cancel the event"
        isOpen={asked === 'cancel'}
        isBusy={save.isPending}
        onConfirm={() => save.mutate({ id, status: 'cancelled' }, { onSettled: close })}
        onClose={close}
      >
        <p>
          Registration closes for good, and everybody who is registered ({people}) is told by mail. Whoever has paid
          gets the money back. A cancelled event cannot be published again.
        </p>
      </RemovalDialog>
      <RemovalDialog
        title={`Remove ${name}?`}
        name={name}
        action="Remove the event"
        isOpen={asked === 'remove'}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ eventId: id }, { onSettled: close })}
        onClose={close}
      >
        <p>
          With it go {people} with their answers, tickets and check-ins. It cannot be undone, and nobody is told by
          mail: cancel the event first if people count on it.
        </p>
      </RemovalDialog>
    </>
  )
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify('success', 'Copied.')
  } catch {
    notify('info', text)
  }
}
