import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Club } from '../../contract/club.ts'
import { refusals } from '../../contract/errors.ts'
import { calendarFileUrl, type Event, refusalToRegister, seatsLeft } from '../../contract/event.ts'
import { canRegister, type EventState, eventState } from '../../contract/event-state.ts'
import type { Extras } from '../../contract/extras.ts'
import type { FormQuestion } from '../../contract/forms.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import { imageUrl } from '../../contract/values/images.ts'
import { formatPrice } from '../../contract/values/money.ts'
import { EventActions } from '../events/EventActions.tsx'
import { EventCover } from '../events/EventCover.tsx'
import { EventFacts } from '../events/EventFacts.tsx'
import { StateBadge } from '../events/StateBadge.tsx'
import { paths } from '../paths.ts'
import { useRenderedPage } from '../rendered-page.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Prose } from '../ui/Prose.tsx'
import { useNow } from '../ui/use-now.ts'
import { type Holder, readTries, readUnpaid } from './draft.ts'
import { FindTicket } from './FindTicket.tsx'
import styles from './RegisterPage.module.css'
import { RegistrationForm } from './RegistrationForm.tsx'
import { readDraft } from './typed.ts'

interface Props {
  club: Club
  event: Event
  questions: readonly FormQuestion[]
  extras: readonly Extras[]
}

/** An event's public page with its registration. */
export function RegisterPage({ club, event, questions, extras }: Props) {
  const now = useNow(event.registrationOpensAt)
  const isOpen = canRegister(event, now)
  const state = eventState(event, now)
  const price = formatPrice(event.ticketPrice, event.currency)
  return (
    <div className="page">
      <PageTitle title={event.name} />
      {state === 'draft' && (
        <p className="hint" role="status">
          Draft, only your club sees this. <a href={paths.editEvent(event.id)}>Edit the event</a>
        </p>
      )}
      <p className={styles.club}>
        <a href={paths.club(club.id)}>
          {club.logo !== '' && <img className="logo" src={imageUrl('club-logo', club.logo)} alt="" />}
          {club.name}
        </a>
      </p>
      <div className={styles.eventPage}>
        <section className={styles.about}>
          <EventCover
            event={event}
            colour={club.colour}
            className={event.banner === '' ? styles.drawn : event.bannerRatio === null ? styles.boxed : styles.banner}
            sizes="(min-width: 72rem) 40rem, 100vw"
            isFirst
          />
          <div>
            <StateBadge event={event} now={now} />
          </div>
          <h1>{event.name}</h1>
          <EventFacts event={event} />
          {state !== 'draft' && (
            <EventActions event={event} club={club} isAhead={state !== 'over' && state !== 'cancelled'} />
          )}
          {event.descriptionHtml !== '' && <Prose html={event.descriptionHtml} />}
          {/* On phones it stays at the bottom of the screen until the form comes into view. */}
          {isOpen && (
            <a className={`button wide ${styles.goToForm}`} href="#register">
              Register · {price}
            </a>
          )}
        </section>
        <section id="register" className={`card ${styles.registration}`} aria-labelledby="register-heading">
          <Registration club={club} event={event} questions={questions} extras={extras} now={now} />
          {state !== 'draft' && <FindTicket event={event} />}
        </section>
      </div>
    </div>
  )
}

const headings: Readonly<Partial<Record<EventState, string>>> = {
  cancelled: 'Cancelled',
  over: 'Over',
  'not open': 'Not open yet',
  'sold out': 'Sold out',
  closed: 'Closed',
  // Registration has closed by then, or there would be a form.
  'on now': 'Closed',
}

/** What a visitor can do while nobody can register. */
function WhatNext({ event, club, isEarly }: Pick<Props, 'event' | 'club'> & { isEarly: boolean }) {
  return (
    <p className={styles.whatNext}>
      {isEarly && (
        <a className="button wide" href={calendarFileUrl(event, 'opening')}>
          Add a reminder to your calendar
        </a>
      )}
      <a className="button quiet wide" href={paths.club(club.id)}>
        See what else is on
      </a>
    </p>
  )
}

const UnpaidRegistration = lazy(async () => ({
  default: (await import('./UnpaidRegistration.tsx')).UnpaidRegistration,
}))

interface Stored {
  unpaid: Holder | null
  /** Whether a registration was sent and not answered. */
  hasTries: boolean
}

function Registration({ club, event, questions, extras, now }: Props & { now: Date }) {
  const closed = closedReason(event, now)
  const state = eventState(event, now)
  // The tab's storage is read after the first render, which has to match the server's, and before it is painted.
  const [stored, setStored] = useState<Stored>({ unpaid: null, hasTries: false })
  const lookAgain = useCallback(
    () => setStored({ unpaid: readUnpaid(event.id), hasTries: readTries(event.id).length > 0 }),
    [event.id],
  )
  useLayoutEffect(lookAgain, [lookAgain])
  const { unpaid, hasTries } = stored
  const isSubmitted = useRenderedPage().submitted?.form === 'register'
  const wasOpen = useRef(false)
  // After a return from the bank, the browser may show the page from its cache.
  useEffect(() => {
    window.addEventListener('pageshow', lookAgain)
    return () => window.removeEventListener('pageshow', lookAgain)
  }, [lookAgain])
  if (unpaid)
    return (
      <>
        <h2 id="register-heading">Your registration</h2>
        <Suspense>
          <UnpaidRegistration event={event} holder={unpaid} onSettled={lookAgain} />
        </Suspense>
      </>
    )
  if (closed === null) wasOpen.current = true
  // A form being filled in or sent without JavaScript stays, and an unanswered try may hold the place that is missing.
  const isInUse = (wasOpen.current && hasInput(event.id)) || hasTries || isSubmitted
  return (
    <>
      <h2 id="register-heading">{(closed !== null && headings[state]) || 'Register'}</h2>
      {closed === null && <Places event={event} />}
      {closed !== null && <p role="status">{closed}</p>}
      {event.status === 'draft' && (
        // As visitors will see it, but nobody can register yet.
        <fieldset className="bare" disabled>
          <RegistrationForm event={event} questions={questions} extras={extras} onUnpaid={lookAgain} />
        </fieldset>
      )}
      {(closed === null || isInUse) && event.status !== 'draft' && (
        <RegistrationForm event={event} questions={questions} extras={extras} onUnpaid={lookAgain} />
      )}
      {closed !== null && event.status !== 'draft' && (
        <WhatNext event={event} club={club} isEarly={state === 'not open'} />
      )}
    </>
  )
}

function hasInput(eventId: number): boolean {
  // The number of vouchers is '0' from the start.
  return Object.values(readDraft(eventId)).some((values) => values.some((value) => value !== '' && value !== '0'))
}

/** The message why nobody can register now; null while registration is open. */
function closedReason(event: Event, now: Date): string | null {
  const closed = refusalToRegister(event, now)
  if (event.status === 'draft') return 'Visitors can register here once you have published the event.'
  const opens = event.registrationOpensAt
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
