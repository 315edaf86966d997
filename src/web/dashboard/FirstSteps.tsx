import { useState } from 'react'
import { Link } from 'react-router'
import type { Club } from '../../contract/club.ts'
import type { Event } from '../../contract/event.ts'
import { paths } from '../paths.ts'
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
      text: 'Introduce your club: place, e-mail and a few words',
      why: 'Visitors see it on your page, and their replies to ticket mails reach you by e-mail.',
      to: paths.editClub(club.id),
    },
    {
      isDone: latest !== undefined,
      text: 'Add your first event',
      why: 'It stays a draft that nobody sees until you publish it.',
      to: paths.addEvent,
    },
    {
      isDone: published !== undefined,
      text: 'Check its form and its page, and publish it',
      why: 'Its overview leads to both. Once it is published your club page shows it, and registration is open.',
      to: latest ? paths.eventHome(latest.id) : null,
    },
    {
      isDone: events.some(({ registrationCount }) => registrationCount > 0),
      text: 'Share its link and get your first registration',
      why: 'On its overview there are a link to copy and a poster to print. Register yourself to see what visitors see.',
      to: published ? paths.eventHome(published.id) : null,
    },
  ]
  if (isHidden || steps.every(({ isDone }) => isDone)) return null
  return (
    <section className="card" aria-labelledby="first-steps">
      <div className="row spread">
        <h2 id="first-steps">First steps</h2>
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
            Hide
          </button>
        )}
      </div>
      <ol className={styles.steps}>
        {steps.map(({ isDone, text, why, to }) => (
          <li key={text}>
            {to === null || isDone ? <strong>{text}</strong> : <Link to={to}>{text}</Link>}
            {isDone && <span className="badge good">Done</span>}
            <p className="muted small">{why}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
