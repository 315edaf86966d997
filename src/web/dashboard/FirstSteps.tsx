import { useState } from 'react'
import { Link } from 'react-router'
import type { Club } from '../../contract/club.ts'
import type { Event } from '../../contract/event.ts'
import * as texts from '../../texts/generated/firstSteps.ts'
import * as paths from '../paths.ts'
import { deviceStore } from '../storage.ts'
import { keepFocus } from '../ui/dialogs/use-focus-return.ts'
import styles from './AdminDashboardPage.module.css'

/** A new club's steps to its first registration. They stay until all are done, or until somebody hides them after publishing. */
export function FirstSteps({ club, events }: { club: Club; events: readonly Event[] }) {
  const key = `first steps hidden ${club.id}`
  const [isHidden, setHidden] = useState(() => deviceStore.read(key) !== null)
  const [latest] = events
  const published = events.find(({ status }) => status === 'published')
  const steps = [
    {
      isDone: club.email !== '' && club.location !== '',
      text: texts.introduce(),
      why: texts.introduceWhy(),
      to: paths.editClub(club.id),
    },
    {
      isDone: latest !== undefined,
      text: texts.addFirst(),
      why: texts.addFirstWhy(),
      to: paths.addEvent,
    },
    {
      isDone: published !== undefined,
      text: texts.publishFirst(),
      why: texts.publishFirstWhy(),
      to: latest ? paths.eventHome(latest.id) : null,
    },
    {
      isDone: events.some(({ registrationCount }) => registrationCount > 0),
      text: texts.shareFirst(),
      why: texts.shareFirstWhy(),
      to: published ? paths.eventHome(published.id) : null,
    },
  ]
  if (isHidden || steps.every(({ isDone }) => isDone)) return null
  return (
    <section className="card" aria-labelledby="first-steps">
      <div className="row spread">
        <h2 id="first-steps">{texts.firstSteps()}</h2>
        {published && (
          <button
            type="button"
            className="button subtle small"
            onClick={() => {
              deviceStore.write(key, 'yes')
              setHidden(true)
              requestAnimationFrame(() => keepFocus())
            }}
          >
            {texts.hide()}
          </button>
        )}
      </div>
      <ol className={styles.steps}>
        {steps.map(({ isDone, text, why, to }) => (
          <li key={text}>
            {to === null || isDone ? (
              <span className={isDone ? undefined : 'muted'}>{text}</span>
            ) : (
              <Link to={to}>{text}</Link>
            )}
            {isDone && <span className="badge good">{texts.done()}</span>}
            <p className="muted small">{why}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
