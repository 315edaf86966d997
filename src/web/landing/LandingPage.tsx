import { Link } from 'react-router'
import { useSession } from '../api/session.ts'
import { homeOf } from '../guards.ts'
import { paths } from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

const reasons = [
  {
    title: 'For visitors',
    text: 'Pick an event, fill in three fields, and your ticket is on your screen and in your mail. No account, no app.',
  },
  {
    title: 'For clubs',
    text: 'Publish an event in minutes. Places are counted exactly: the last one is never given away twice.',
  },
  {
    title: 'At the door',
    text: 'Scan tickets with any phone. Each ticket lets one person in, however many of you are scanning.',
  },
]

/** What Turnout is, for a visitor and for a club. */
export function LandingPage() {
  const session = useSession()
  return (
    <>
      <PageTitle />
      <section className="hero">
        <h1>Your club’s events, from sign-up to the door</h1>
        <p>Turnout takes registrations, sends tickets and checks people in, on your own server.</p>
        {session ? (
          <Link className="button" to={homeOf(session.user)}>
            Go to your dashboard
          </Link>
        ) : (
          <Link className="button" to={paths.signin}>
            Sign in as a club
          </Link>
        )}
      </section>
      <div className="page">
        <ul className="cards">
          {reasons.map(({ title, text }) => (
            <li className="card" key={title}>
              <h2>{title}</h2>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
