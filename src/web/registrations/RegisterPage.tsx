import { type ComponentType, lazy, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Club } from '../../contract/club.ts'
import { type Event, seatsLeft } from '../../contract/event.ts'
import { eventState, isOpenForTickets } from '../../contract/event-state.ts'
import type { Extras } from '../../contract/extras.ts'
import type { FormQuestion } from '../../contract/forms.ts'
import type { TicketType } from '../../contract/ticket-type.ts'
import { formatPrices } from '../../contract/values/money.ts'
import * as commonTexts from '../../texts/generated/common.ts'
import * as texts from '../../texts/generated/event.ts'
import { ClubLink } from '../events/ClubLink.tsx'
import { EventActions } from '../events/EventActions.tsx'
import { EventCover } from '../events/EventCover.tsx'
import { EventFacts } from '../events/EventFacts.tsx'
import { StateBadge } from '../events/StateBadge.tsx'
import { useRenderedPage } from '../rendered-page.ts'
import { languagesOfEvent } from '../rendering/own-words.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Prose } from '../ui/Prose.tsx'
import { useNow } from '../ui/use-now.ts'
import { closedHeading, closedReason, noTicketHeading, noTicketReason } from './closed.ts'
import { type Holder, readTries, readUnpaid } from './draft.ts'
import { FindTicket } from './FindTicket.tsx'
import type { FormParts } from './form-parts-of.ts'
import styles from './RegisterPage.module.css'
import { RegistrationForm } from './RegistrationForm.tsx'
import { nextChange, noTicketNow, saleTimes } from './ticket-type/chosen-type.ts'
import { readDraft, TICKET_TYPE } from './typed.ts'
import type { WhatNextProps } from './WhatNext.tsx'

interface Props {
  club: Club
  event: Event
  questions: readonly FormQuestion[]
  extras: readonly Extras[]
  /** Those on sale, in their order. */
  ticketTypes: readonly TicketType[]
  /** Others of the club that take registrations now or later, where nobody can register for this one. */
  others: readonly Event[]
  /** Loaded separately, because most visitors of an event's page can register. */
  WhatNext: ComponentType<WhatNextProps>
  formParts: FormParts
}

// Only its club sees a draft.
const DraftBanner = lazy(async () => ({ default: (await import('../events/DraftBanner.tsx')).DraftBanner }))

/** The state of an event that takes registrations but has no ticket. */
const stateWithout = { 'not yet': 'not open', 'sold out': 'sold out', over: 'closed' } as const

/** An event's public page with its registration. */
export function RegisterPage(props: Props) {
  const { club, event, ticketTypes } = props
  const now = useNow((last) => nextChange([event.registrationOpensAt, ...saleTimes(ticketTypes)], last))
  const noTicket = isOpenForTickets(event, now) ? noTicketNow(ticketTypes, now) : null
  const isOpen = noTicket === null && isOpenForTickets(event, now)
  const state = noTicket ? stateWithout[noTicket.why] : eventState(event, now)
  const price = formatPrices(event)
  const lang = languagesOfEvent(event, club)
  return (
    <div className="page">
      <PageTitle title={event.name} />
      {state === 'draft' && (
        <ErrorBoundary fallback={null}>
          <Suspense>
            <DraftBanner event={event} />
          </Suspense>
        </ErrorBoundary>
      )}
      <ClubLink club={club} />
      <div className={styles.eventPage} data-state={state}>
        <section className={styles.about}>
          <EventCover
            event={event}
            colour={club.colour}
            className={event.banner === '' ? styles.drawn : event.bannerRatio === null ? styles.boxed : styles.banner}
            sizes="(min-width: 72rem) 40rem, 100vw"
            isFirst
          />
          <div>
            <StateBadge event={event} now={now} state={state} />
          </div>
          <h1 lang={lang.name}>{event.name}</h1>
          <EventFacts event={event} hasPrice={state !== 'cancelled'} />
          {state !== 'draft' && <EventActions event={event} club={club} state={state} />}
          {event.descriptionHtml !== '' && <Prose html={event.descriptionHtml} lang={lang.description} />}
          {/* On phones it stays at the bottom of the screen until the form comes into view. */}
          {isOpen && (
            <div className={styles.goToForm}>
              <a className="button wide" href="#register">
                {texts.registerFor({ price })}
              </a>
            </div>
          )}
        </section>
        <section id="register" className={`card ${styles.registration}`} aria-labelledby="register-heading">
          <Registration {...props} now={now} />
          {state !== 'draft' && <FindTicket event={event} />}
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

function Registration({ WhatNext, formParts, now, ...props }: Props & { now: Date }) {
  const { club, event, questions, extras, ticketTypes, others } = props
  const isOpen = isOpenForTickets(event, now)
  const noTicket = isOpen ? noTicketNow(ticketTypes, now) : null
  // Those that everybody can buy are gone, but not those that need a code.
  const needsCode = noTicket !== null && event.codes === 'tickets'
  const [hasCode, setHasCode] = useState(false)
  const isClosed = (noTicket !== null && !needsCode) || !isOpen
  // The tab's storage is read after the first render, which has to match the server's, and before it is painted.
  const [stored, setStored] = useState<Stored>({ unpaid: null, hasTries: false })
  const lookAgain = useCallback(() => {
    const unpaid = readUnpaid(event.id)
    const hasTries = readTries(event.id).length > 0
    // Rendered again before its parts have loaded, the page would lose what the server rendered of them.
    setStored((old) =>
      old.hasTries === hasTries && JSON.stringify(old.unpaid) === JSON.stringify(unpaid) ? old : { unpaid, hasTries },
    )
  }, [event.id])
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
        <h2 id="register-heading">{texts.yourRegistration()}</h2>
        <ErrorBoundary
          fallback={
            <p className="problem" role="alert">
              {commonTexts.notLoaded()}
            </p>
          }
        >
          <Suspense>
            <UnpaidRegistration event={event} holder={unpaid} onSettled={lookAgain} />
          </Suspense>
        </ErrorBoundary>
      </>
    )
  if (!isClosed) wasOpen.current = true
  const form = { club, event, questions, extras, ticketTypes, now, onUnpaid: lookAgain, onCode: setHasCode, formParts }
  // A form being filled in or sent without JavaScript stays, and an unanswered try may hold the place that is missing.
  const isInUse = (wasOpen.current && hasInput(event.id)) || hasTries || isSubmitted
  return (
    <>
      <h2 id="register-heading">
        {(noTicket && !(needsCode && hasCode) ? noTicketHeading(noTicket) : closedHeading(event, now)) ??
          texts.register()}
      </h2>
      {isClosed || (needsCode && !hasCode) ? (
        <p role="status">{noTicket ? noTicketReason(noTicket, event) : closedReason(event, club, extras, now)}</p>
      ) : (
        <Places event={event} />
      )}
      {event.status === 'draft' && (
        // As visitors will see it, but nobody can register yet.
        <fieldset className="bare" disabled>
          <RegistrationForm {...form} />
        </fieldset>
      )}
      {(!isClosed || isInUse) && event.status !== 'draft' && <RegistrationForm {...form} />}
      {isClosed && event.status !== 'draft' && (
        <ErrorBoundary fallback={null}>
          <Suspense>
            <WhatNext event={event} club={club} others={others} now={now} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}

function hasInput(eventId: number): boolean {
  // The number of vouchers is '0' from the start, and a ticket is chosen.
  return Object.entries(readDraft(eventId)).some(
    ([name, values]) => name !== TICKET_TYPE && values.some((value) => value !== '' && value !== '0'),
  )
}

function Places({ event }: { event: Event }) {
  const left = seatsLeft(event)
  if (left === null || left === 0) return null
  return <p className="muted">{texts.placesLeft({ count: left })}</p>
}
