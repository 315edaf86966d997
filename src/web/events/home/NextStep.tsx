import { IconConfetti } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Event } from '../../../contract/event.ts'
import { eventApi } from '../../../contract/events.ts'
import { formApi } from '../../../contract/forms.ts'
import { query, useCall } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { baseUrl } from '../../site.ts'
import { copyText } from '../../ui/copy-text.ts'
import { plural } from '../../ui/plural.ts'
import { JUST_PUBLISHED } from './just-published.ts'
import styles from './NextStep.module.css'
import { nextStep, type Step } from './next-step.ts'
import { useCopyEvent } from './use-copy-event.ts'

/** What the club does next with the event, by its state and the time. */
export function NextStep({ event, now }: { event: Event; now: Date }) {
  const isJustPublished = useJustPublished(event)
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that published it is gone.
  useEffect(() => {
    if (isJustPublished) heading.current?.focus()
  }, [isJustPublished])
  const { heading: words, advice, action } = nextStep(event, now)
  if (action === 'publish') return <Draft event={event} heading={words} advice={advice} />
  const isWaiting = action !== 'attendees' && action !== 'statistics' && action !== 'scanner'
  return (
    <section
      className={`card ${styles.step}`}
      data-live={isJustPublished || undefined}
      data-cancelled={event.status === 'cancelled' || undefined}
    >
      <h2 ref={heading} tabIndex={-1}>
        {isJustPublished && <IconConfetti className={styles.live} size={28} stroke={1.75} aria-hidden />}
        {isJustPublished ? 'Your event is live' : words}
      </h2>
      <p>{isJustPublished ? 'Your club’s page shows it now. Tell people: the link and a poster are below.' : advice}</p>
      <div className={styles.actions}>
        <FirstAction event={event} action={action} />
        {isWaiting && (
          <a className="button light" href={paths.event(event)}>
            View the page
          </a>
        )}
        {action === 'statistics' && <DuplicateButton event={event} now={now} />}
      </div>
    </section>
  )
}

/** To hold an event that is over again. */
function DuplicateButton({ event, now }: { event: Event; now: Date }) {
  const { copyEvent, isPending } = useCopyEvent()
  return (
    <button type="button" className="button light" aria-disabled={isPending} onClick={() => copyEvent(event, now)}>
      Duplicate
    </button>
  )
}

function FirstAction({ event, action }: { event: Event; action: Exclude<Step['action'], 'publish'> }) {
  if (action === 'copy link')
    return (
      <button type="button" className="button" onClick={() => void copyText(baseUrl() + paths.event(event))}>
        Copy the link
      </button>
    )
  const { to, text } = links[action]
  return (
    <Link className={action === 'attendees' ? 'button light' : 'button'} to={to(event.id)}>
      {text}
    </Link>
  )
}

const links = {
  attendees: { to: paths.attendees, text: 'See the attendees' },
  statistics: { to: paths.statistics, text: 'See the statistics' },
  scanner: { to: paths.scanner, text: 'Open the scanner' },
  'add places': { to: paths.editEvent, text: 'Add places' },
  'open again': { to: paths.editEvent, text: 'Open it again' },
} as const

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

function Draft({ event, heading, advice }: { event: Event; heading: string; advice: string }) {
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
      <h2>{heading}</h2>
      <p>{advice}</p>
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
      <div className={styles.actions}>
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
