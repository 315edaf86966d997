import { IconConfetti } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Event } from '../../../contract/event.ts'
import { type EventState, eventState } from '../../../contract/event-state.ts'
import { eventApi } from '../../../contract/events.ts'
import { formApi } from '../../../contract/forms.ts'
import { query, useCall } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { baseUrl } from '../../site.ts'
import { copyText } from '../../ui/copy-text.ts'
import { plural } from '../../ui/plural.ts'
import { isAtDoor } from './is-at-door.ts'
import { JUST_PUBLISHED } from './just-published.ts'
import styles from './NextStep.module.css'

/** What the club does next with the event, by its state and the time. */
export function NextStep({ event, now }: { event: Event; now: Date }) {
  const isJustPublished = useJustPublished(event)
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that published it is gone.
  useEffect(() => {
    if (isJustPublished) heading.current?.focus()
  }, [isJustPublished])
  if (event.status === 'draft') return <Draft event={event} />
  if (event.status === 'cancelled')
    return (
      <section className={`card ${styles.step}`}>
        <h2>This event is cancelled</h2>
        <p>Everybody who was registered is told by mail, and anything paid by card goes back.</p>
        <Link className="button light" to={paths.attendees(event.id)}>
          See the attendees
        </Link>
      </section>
    )
  if (event.endsAt <= now)
    return (
      <section className={`card ${styles.step}`}>
        <h2>The event is over</h2>
        <p>See how many came, when they arrived, and what was sold.</p>
        <Link className="button" to={paths.statistics(event.id)}>
          See the statistics
        </Link>
      </section>
    )
  if (isAtDoor(event, now))
    return (
      <section className={`card ${styles.step}`}>
        <h2>{event.startsAt <= now ? 'The event is on' : 'The event begins soon'}</h2>
        <p>Open the scanner on each phone at the door while there is network. After that it works without, too.</p>
        <Link className="button" to={paths.scanner(event.id)}>
          Open the scanner
        </Link>
      </section>
    )
  const state = eventState(event, now)
  return (
    <section className={`card ${styles.step}`} data-live={isJustPublished || undefined}>
      <h2 ref={heading} tabIndex={-1}>
        {isJustPublished && <IconConfetti className={styles.live} size={28} stroke={1.75} aria-hidden />}
        {isJustPublished ? 'Your event is live' : headings[state]}
      </h2>
      <p>
        {isJustPublished
          ? 'Your club’s page shows it now. Tell people: the link and a poster are below.'
          : advice[state]}
      </p>
      <div className="row">
        <FirstAction event={event} state={state} />
        <a className="button light" href={paths.event(event)}>
          View the page
        </a>
      </div>
    </section>
  )
}

const headings: Readonly<Partial<Record<EventState, string>>> = {
  open: 'Registration is open',
  'few left': 'Only a few places are left',
  'sold out': 'It is sold out',
  'not open': 'Registration is not open yet',
  closed: 'Registration is closed',
}

const advice: Readonly<Partial<Record<EventState, string>>> = {
  open: 'Share its link, and look at the attendees as they come in.',
  'few left': 'There is still room for a few. With more places, more people can come.',
  'sold out': 'Places that are given back are open to others at once. With more places, more people can come.',
  'not open': 'Share its link already: visitors see when registration opens, and can note it in their calendar.',
  closed: 'Nobody can register any more. The door lets in everybody who has a ticket.',
}

/** What a club most likely does next while it waits for the event. */
function FirstAction({ event, state }: { event: Event; state: EventState }) {
  if (state === 'few left' || state === 'sold out' || state === 'closed')
    return (
      <Link className="button" to={paths.editEvent(event.id)}>
        {state === 'closed' ? 'Open it again' : 'Add places'}
      </Link>
    )
  return (
    <button type="button" className="button" onClick={() => void copyText(baseUrl() + paths.event(event))}>
      Copy the link
    </button>
  )
}

/** Whether the event was published a moment ago. It is no longer when the page is loaded again. */
function useJustPublished({ id }: Event): boolean {
  const { state } = useLocation()
  const navigate = useNavigate()
  const [isNew, setNew] = useState(false)
  useEffect(() => {
    if (state !== JUST_PUBLISHED) return
    setNew(true)
    // History entries keep their state.
    void navigate(paths.eventHome(id), { replace: true, state: null })
  }, [state, navigate, id])
  return isNew
}

function Draft({ event }: { event: Event }) {
  const save = useCall(eventApi.save)
  const navigate = useNavigate()
  const { data: questions } = useSuspenseQuery(query(formApi.getFormQuestions, { eventId: event.id }))
  const publish = () => {
    if (save.isPending) return
    const toLive = () => navigate(paths.eventHome(event.id), { replace: true, state: JUST_PUBLISHED })
    save.mutate({ id: event.id, status: 'published' }, { onSuccess: toLive })
  }
  return (
    <section className={`card ${styles.step}`}>
      <h2>Publish it when it is ready</h2>
      <p>Only your club sees it so far.</p>
      <ol className={styles.checks}>
        <li>
          <Link to={paths.form(event.id)}>Registration form</Link>:{' '}
          {new Intl.ListFormat('en-GB').format([
            'name',
            'e-mail',
            ...(event.phoneField === 'off' ? [] : ['phone']),
            ...(questions.length === 0 ? [] : [`${plural(questions.length, 'question', 'questions')} of yours`]),
          ])}
        </li>
        <li>
          <Link to={paths.vouchers(event.id)}>Vouchers</Link>: drinks, parking or a T-shirt, sold with the ticket
        </li>
        <li>
          <a href={paths.event(event)}>Preview</a>: the page as visitors will see it
        </li>
      </ol>
      <div className="row">
        <button type="button" className="button" aria-disabled={save.isPending} onClick={publish}>
          Publish
        </button>
        <a className="button light" href={paths.event(event)}>
          Preview
        </a>
      </div>
    </section>
  )
}
