import { IconConfetti } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Event } from '../../../contract/event.ts'
import { eventApi } from '../../../contract/events.ts'
import { formApi } from '../../../contract/forms.ts'
import * as texts from '../../../texts/generated/overview.ts'
import { formatList } from '../../../texts/numbers.ts'
import { query, useCall } from '../../api/query.ts'
import * as paths from '../../paths.ts'
import { baseUrl } from '../../site.ts'
import { copyText } from '../../ui/copy-text.ts'
import { Parts } from '../../ui/Parts.tsx'
import { JUST_PUBLISHED, LIVE } from './just-published.ts'
import styles from './NextStep.module.css'
import { nextStep, type Step } from './next-step.ts'
import { useCopyEvent } from './use-copy-event.ts'

/** What the club does next with the event, by its state and the time. */
export function NextStep({ event, now }: { event: Event; now: Date }) {
  const isJustPublished = useJustPublished(event)
  const title = useRef<HTMLHeadingElement>(null)
  // The button that published it is gone.
  useEffect(() => {
    if (isJustPublished) title.current?.focus()
  }, [isJustPublished])
  const { heading, advice, action } = nextStep(event, now)
  if (action === 'publish') return <Draft event={event} heading={heading()} advice={advice()} />
  const isWaiting = action !== 'attendees' && action !== 'statistics' && action !== 'scanner'
  return (
    <section
      className={`card ${styles.step}`}
      data-live={isJustPublished || undefined}
      data-cancelled={event.status === 'cancelled' || undefined}
    >
      <h2 ref={title} tabIndex={-1}>
        {isJustPublished && <IconConfetti className={styles.live} size={28} stroke={1.75} aria-hidden />}
        {isJustPublished ? texts.live() : heading()}
      </h2>
      <p>{isJustPublished ? texts.liveText() : advice()}</p>
      <div className={styles.actions}>
        <FirstAction event={event} action={action} />
        {isWaiting && (
          <a className="button light" href={paths.event(event)}>
            {texts.viewThePage()}
          </a>
        )}
        {action === 'statistics' && (
          <>
            <Link className="button light" to={`${paths.attendees(event.id)}?status=confirmed&checkin=true`}>
              {texts.seeWhoCame()}
            </Link>
            <DuplicateButton event={event} now={now} />
          </>
        )}
      </div>
    </section>
  )
}

/** Duplicates a past event, to hold it again. */
function DuplicateButton({ event, now }: { event: Event; now: Date }) {
  const { copyEvent, isPending } = useCopyEvent()
  return (
    <button type="button" className="button subtle" aria-disabled={isPending} onClick={() => copyEvent(event, now)}>
      {texts.duplicate()}
    </button>
  )
}

function FirstAction({ event, action }: { event: Event; action: Exclude<Step['action'], 'publish'> }) {
  if (action === 'copy link')
    return (
      <button type="button" className="button" onClick={() => void copyText(baseUrl() + paths.event(event))}>
        {texts.copyTheLink()}
      </button>
    )
  const { to, text } = links[action]
  return (
    <Link className={action === 'attendees' ? 'button light' : 'button'} to={to(event.id)}>
      {text()}
    </Link>
  )
}

const links = {
  attendees: { to: paths.attendees, text: texts.seeAttendees },
  statistics: { to: paths.statistics, text: texts.seeStatistics },
  scanner: { to: paths.scanner, text: texts.openScanner },
  'add places': { to: paths.editEvent, text: texts.addPlaces },
  'open again': { to: paths.editEvent, text: texts.openAgain },
  'change tickets': { to: paths.ticketTypes, text: texts.changeTickets },
} as const

/** Whether the event was published a moment ago. It is no longer when the page is loaded again. */
function useJustPublished({ id }: Event): boolean {
  const { state, hash } = useLocation()
  const navigate = useNavigate()
  const [isNew, setNew] = useState(false)
  useEffect(() => {
    if (state !== JUST_PUBLISHED && hash !== LIVE) return
    setNew(true)
    // History entries keep their state.
    void navigate(paths.eventHome(id), { replace: true, state: null })
  }, [state, hash, navigate, id])
  return isNew
}

function Draft({ event, heading, advice }: { event: Event; heading: string; advice: string }) {
  const save = useCall(eventApi.save)
  const navigate = useNavigate()
  const { data: questions } = useSuspenseQuery(query(formApi.getFormQuestions, { eventId: event.id }))
  const fields = formatList([
    texts.fieldName(),
    texts.fieldEmail(),
    ...(event.phoneField === 'off' ? [] : [texts.fieldPhone()]),
    ...(questions.length === 0 ? [] : [texts.ownQuestions({ count: questions.length })]),
  ])
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
          <Parts of={texts.formCheck({ fields, link: (text) => <Link to={paths.form(event.id)}>{text}</Link> })} />
        </li>
        <li>
          <Parts of={texts.ticketsCheck({ link: (text) => <Link to={paths.ticketTypes(event.id)}>{text}</Link> })} />
        </li>
        <li>
          <Parts of={texts.vouchersCheck({ link: (text) => <Link to={paths.vouchers(event.id)}>{text}</Link> })} />
        </li>
      </ol>
      <div className={styles.actions}>
        <button type="button" className="button" aria-disabled={save.isPending} onClick={publish}>
          {texts.publish()}
        </button>
        <a className="button light" href={paths.event(event)}>
          {texts.preview()}
        </a>
      </div>
    </section>
  )
}
