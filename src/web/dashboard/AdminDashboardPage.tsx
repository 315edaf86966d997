import { Button, SegmentedControl } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { clubApi } from '../../contract/clubs.ts'
import { type Event, eventApi } from '../../contract/events.ts'
import { query } from '../api/query.ts'
import { sendLeftovers } from '../door/phone/send-leftovers.ts'
import { useOwnClub } from '../layouts/SignedIn.tsx'
import { paths } from '../paths.ts'
import { useNow } from '../ui/use-now.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { StaffEventCard } from './StaffEventCard.tsx'
import { ToDos } from './ToDos.tsx'

/** A club's events for its staff. */
export function AdminDashboardPage() {
  const clubId = useOwnClub()
  const { data: club } = useSuspenseQuery(query(clubApi.getClub, { clubId }))
  const { data: events } = useSuspenseQuery(query(eventApi.getAllEvents, { clubId }))
  const { data: alerts } = useSuspenseQuery(query(clubApi.getNeeds, { clubId }))
  useEffect(() => void sendLeftovers().catch(() => {}), [])
  const isNew = !events.some(({ status }) => status === 'published')
  return (
    <div className="page">
      <div className="row spread">
        <h1>{club.name}</h1>
        <Button component={Link} to={paths.addEvent} size="md">
          Add an event
        </Button>
      </div>
      {isNew && <FirstSteps club={club} events={events} />}
      {alerts.length > 0 && <ToDos clubId={clubId} alerts={alerts} />}
      {events.length > 0 && <EventCards events={events} />}
    </div>
  )
}

const periods = ['Upcoming', 'Past', 'All'] as const
type Period = (typeof periods)[number]

function EventCards({ events }: { events: Event[] }) {
  const now = useNow()
  const [period, setPeriod] = useState<Period>('Upcoming')
  const isIn = ({ endsAt }: Event) => period === 'All' || endsAt > now === (period === 'Upcoming')
  const order = period === 'Upcoming' ? 1 : -1
  const shown = events.filter(isIn).sort((a, b) => order * (a.startsAt.getTime() - b.startsAt.getTime()))
  return (
    <>
      <div className="row spread">
        <h2>Events</h2>
        <SegmentedControl
          aria-label="Which events"
          data={[...periods]}
          value={period}
          onChange={(value) => setPeriod(periods.find((each) => each === value) ?? 'All')}
        />
      </div>
      {shown.length === 0 && <p>No events here. {period !== 'All' && 'Look under “All”, or add one.'}</p>}
      <ul className="cards">
        {shown.map((event) => (
          <li key={event.id}>
            <StaffEventCard event={event} />
          </li>
        ))}
      </ul>
    </>
  )
}
