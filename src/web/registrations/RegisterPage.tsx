import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Club } from '../../contract/clubs.ts'
import { refusals } from '../../contract/errors.ts'
import { type Event, refusalToRegister, seatsLeft } from '../../contract/events.ts'
import type { Extras } from '../../contract/extras.ts'
import type { FormQuestion } from '../../contract/forms.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import { imageUrl } from '../../contract/values/images.ts'
import { EventFacts } from '../events/EventFacts.tsx'
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
  return (
    <div className="page">
      <PageTitle title={event.name} />
      <p>
        <a href={paths.club(club.id)}>{club.name}</a>
      </p>
      <img
        className={styles.banner}
        src={imageUrl('event-banner', event.banner)}
        srcSet={
          event.banner === ''
            ? undefined
            : `${imageUrl('event-banner', event.banner, 800)} 800w, ${imageUrl('event-banner', event.banner)} 1600w`
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
          <Registration event={event} questions={questions} extras={extras} />
          <FindTicket event={event} />
        </section>
      </div>
    </div>
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

function Registration({ event, questions, extras }: Omit<Props, 'club'>) {
  const closed = closedReason(event, useNow(event.registrationOpensAt))
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
      <Suspense>
        <UnpaidRegistration event={event} holder={unpaid} onSettled={lookAgain} />
      </Suspense>
    )
  if (closed === null) wasOpen.current = true
  // A form being filled in or sent without JavaScript stays, and an unanswered try may hold the place that is missing.
  const isInUse = (wasOpen.current && hasInput(event.id)) || hasTries || isSubmitted
  return (
    <>
      {closed !== null && <p role="status">{closed}</p>}
      {(closed === null || isInUse) && (
        <RegistrationForm event={event} questions={questions} extras={extras} onUnpaid={lookAgain} />
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
