import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { clubApi } from '../../contract/clubs.ts'
import type { Event } from '../../contract/event.ts'
import { eventApi } from '../../contract/events.ts'
import * as texts from '../../texts/generated/dashboard.ts'
import type { Message } from '../../texts/language.ts'
import { query } from '../api/query.ts'
import { hasDoor } from '../door/phone/last-door.ts'
import { useOwnClub } from '../layouts/SignedIn.tsx'
import * as paths from '../paths.ts'
import { useMay } from '../session/may.ts'
import { Segments } from '../ui/forms/Segments.tsx'
import { useNow } from '../ui/use-now.ts'
import styles from './AdminDashboardPage.module.css'
import { FirstSteps } from './FirstSteps.tsx'
import { StaffEventCards } from './StaffEventCards.tsx'
import { plans, ToDos } from './ToDos.tsx'

/** A club's events for its staff. */
export function AdminDashboardPage() {
  const clubId = useOwnClub()
  const { data: club } = useSuspenseQuery(query(clubApi.getClub, { clubId }))
  const { data: events } = useSuspenseQuery(query(eventApi.getAllEvents, { clubId }))
  const may = useMay()
  useEffect(() => {
    // If a door was open on this phone, some of its scans may not be sent yet.
    if (hasDoor())
      import('../door/phone/send-leftovers.ts').then(({ sendLeftovers }) => sendLeftovers()).catch(() => {})
  }, [])
  return (
    <div className="page">
      <div className="row spread">
        <h1 className={styles.name}>{club.name}</h1>
        {may('events') && (
          <Link className="button" to={paths.addEvent}>
            {texts.addAnEvent()}
          </Link>
        )}
      </div>
      {may('club') && <FirstSteps club={club} events={events} />}
      {may('read') && <ClubToDos clubId={clubId} />}
      {events.length === 0 && !may('events') && <p>{texts.noEventsYet()}</p>}
      {events.length > 0 && <EventCards events={events} colour={club.colour} />}
    </div>
  )
}

function ClubToDos({ clubId }: { clubId: number }) {
  const { data } = useSuspenseQuery(query(clubApi.getNeeds, { clubId }))
  const may = useMay()
  const alerts = data.filter(({ kind }) => may('events') || !plans.has(kind))
  return alerts.length > 0 && <ToDos clubId={clubId} alerts={alerts} />
}

type Period = 'upcoming' | 'past' | 'all'

const periods: readonly { value: Period; label: Message }[] = [
  { value: 'upcoming', label: texts.upcoming },
  { value: 'past', label: texts.past },
  { value: 'all', label: texts.all },
]

function EventCards({ events, colour }: { events: Event[]; colour: string }) {
  const now = useNow()
  const [period, setPeriod] = useState<Period>('upcoming')
  const isIn = ({ endsAt }: Event) => period === 'all' || endsAt > now === (period === 'upcoming')
  const order = period === 'upcoming' ? 1 : -1
  const shown = events.filter(isIn).sort((a, b) => order * (a.startsAt.getTime() - b.startsAt.getTime()))
  return (
    <>
      <div className="row spread">
        <h2>{texts.events()}</h2>
        <Segments
          label={texts.whichEvents()}
          options={periods.map(({ value, label }) => ({ value, label: label() }))}
          value={period}
          onChange={setPeriod}
        />
      </div>
      {shown.length === 0 && <p>{period === 'all' ? texts.noEvents() : texts.noEventsHere()}</p>}
      <StaffEventCards events={shown} colour={colour} now={now} />
    </>
  )
}
