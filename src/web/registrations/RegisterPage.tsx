import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { clubApi } from '../../contract/clubs.ts'
import { refusals } from '../../contract/errors.ts'
import { type Event, eventApi, refusalToRegister, seatsLeft } from '../../contract/events.ts'
import { extrasApi } from '../../contract/extras.ts'
import { formApi } from '../../contract/forms.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import { imageUrl } from '../../contract/values/images.ts'
import { query } from '../api/call.ts'
import { EventFacts } from '../events/EventFacts.tsx'
import { paths } from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Prose } from '../ui/Prose.tsx'
import { useNow } from '../ui/use-now.ts'
import { readDraft, readTries, readUnpaid } from './draft.ts'
import styles from './RegisterPage.module.css'
import { RegistrationForm } from './RegistrationForm.tsx'

// Rarely needed; if it cannot be loaded, nothing is shown in its place.
const FindTicket = lazy(async (): Promise<{ default: ComponentType<{ event: Event }> }> => {
  const loaded = await import('./FindTicket.tsx').catch(() => null)
  return { default: loaded?.FindTicket ?? (() => null) }
})

/** An event's public page with its registration. */
export function RegisterPage({ clubId, eventId }: { clubId: number; eventId: number }) {
  // All of the page at once, not one after the other.
  usePrefetchQuery(query(clubApi.getClub, { clubId }))
  usePrefetchQuery(query(formApi.getFormQuestions, { eventId }))
  usePrefetchQuery(query(extrasApi.getExtras, { eventId }))
  const { data: event } = useSuspenseQuery(query(eventApi.getEventByEventIdnClubId, { eventId, clubId }))
  const { data: club } = useSuspenseQuery(query(clubApi.getClub, { clubId }))
  return (
    <div className="page">
      <PageTitle title={event.name} />
      <p>
        <Link href={paths.club(clubId)}>{club.name}</Link>
      </p>
      <img
        className={styles.banner}
        src={imageUrl('event-banner', event.banner)}
        srcSet={
          event.banner &&
          `${imageUrl('event-banner', event.banner, 800)} 800w, ${imageUrl('event-banner', event.banner)} 1600w`
        }
        sizes="(min-width: 72rem) 72rem, 100vw"
        alt=""
        width="1600"
        height="700"
        fetchPriority="high"
      />
      <div className={styles.eventPage}>
        <section>
          <h1>{event.name}</h1>
          <EventFacts event={event} />
          <Prose html={event.descriptionHtml} />
        </section>
        <section className="card" aria-labelledby="register">
          <h2 id="register">Register</h2>
          <Places event={event} />
          <Registration event={event} />
          <Suspense>
            <FindTicket event={event} />
          </Suspense>
        </section>
      </div>
    </div>
  )
}

const UnpaidRegistration = lazy(async () => ({
  default: (await import('./UnpaidRegistration.tsx')).UnpaidRegistration,
}))

function Registration({ event }: { event: Event }) {
  const closed = closedReason(event, useNow(event.registrationOpensAt))
  const [unpaid, setUnpaid] = useState(() => readUnpaid(event.id))
  const lookAgain = useCallback(() => setUnpaid(readUnpaid(event.id)), [event.id])
  const wasOpen = useRef(false)
  // After a return from the bank, the browser may show the page from its cache.
  useEffect(() => {
    window.addEventListener('pageshow', lookAgain)
    return () => window.removeEventListener('pageshow', lookAgain)
  }, [lookAgain])
  if (unpaid)
    return (
      <Suspense>
        <UnpaidRegistration event={event} holder={unpaid} onSettled={lookAgain} />
      </Suspense>
    )
  if (closed === null) wasOpen.current = true
  // A form being filled in stays, and an unanswered try may hold the very place that is missing.
  const isInUse = (wasOpen.current && hasInput(event.id)) || readTries(event.id).length > 0
  return (
    <>
      {closed !== null && <p role="status">{closed}</p>}
      {(closed === null || isInUse) && <RegistrationForm event={event} onUnpaid={lookAgain} />}
    </>
  )
}

function hasInput(eventId: number): boolean {
  return Object.values(readDraft(eventId)).some((values) => values.some((value) => value !== ''))
}

/** Why nobody can register now, in words; null while it is open. */
function closedReason(event: Event, now: Date): string | null {
  const closed = refusalToRegister(event, now)
  const opens = event.registrationOpensAt
  if (event.status === 'draft') return 'This is a draft: only your club sees it. Publish it to open the registration.'
  if (closed === 'REGISTRATION_NOT_OPEN' && opens)
    return `Registration opens on ${formatDate(opens, event.timeZone)} at ${formatTime(opens, event.timeZone)}.`
  if (closed) return refusals[closed].msg
  return seatsLeft(event) === 0 ? 'This event is sold out.' : null
}

function Places({ event }: { event: Event }) {
  const left = seatsLeft(event)
  if (left === null || left === 0) return null
  return <p className="muted">{left === 1 ? '1 place left' : `${left} places left`}</p>
}
