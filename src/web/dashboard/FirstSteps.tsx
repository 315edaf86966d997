import { Link } from 'react-router'
import type { Club } from '../../contract/club.ts'
import type { Event } from '../../contract/events.ts'
import { paths } from '../paths.ts'
import styles from './AdminDashboardPage.module.css'

/** A new club's steps to its first published event. */
export function FirstSteps({ club, events }: { club: Club; events: Event[] }) {
  const [latest] = events
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
      isDone: false,
      text: 'Publish it',
      why: 'Then your club page shows it, and registration is open.',
      to: latest ? paths.editEvent(latest.id) : null,
    },
  ]
  return (
    <section className="card" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol className={styles.steps}>
        {steps.map(({ isDone, text, why, to }) => (
          <li key={text} className={isDone ? 'done' : ''}>
            {to === null || isDone ? <strong>{text}</strong> : <Link to={to}>{text}</Link>}
            {isDone && <span className="badge good">Done</span>}
            <p className="muted small">{why}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
