import { paths } from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import styles from './LandingPage.module.css'

const reasons = [
  {
    title: 'Registration without an account',
    text: 'Your members pick an event, fill in a few fields, and have their ticket on the screen and in their mail.',
  },
  {
    title: 'The last place goes once',
    text: 'However many people press the button at the same moment, nobody is promised a seat that is not there.',
  },
  {
    title: 'Your own questions',
    text: 'Ask what you need to know, from shirt sizes to allergies, and change the form while registration is open.',
  },
  {
    title: 'A door that moves',
    text: 'Scan tickets with any phone. Each lets one person in, however many of you are scanning.',
  },
  {
    title: 'A list you can work with',
    text: 'Find anybody by half a name, correct, cancel, write again, and take it all with you as a spreadsheet.',
  },
  {
    title: 'On your own server',
    text: 'Your members’ data stay with you. No advertising, no tracking, nothing from other companies.',
  },
]

/** The home page, which explains Turnout to visitors and clubs. */
export function LandingPage() {
  return (
    <>
      <PageTitle title="" />
      <section className={styles.hero}>
        <h1>Your club’s events, from sign-up to the door</h1>
        <p>Turnout takes registrations, sends tickets and checks people in, on your own server.</p>
        <div className="row center">
          <a className="button when-signed-in" href={paths.dashboard}>
            Go to your dashboard
          </a>
          <a className="button when-signed-out" href={paths.register}>
            Sign up your club
          </a>
          <a className={`button when-signed-out ${styles.ghost}`} href={paths.signin}>
            Sign in
          </a>
        </div>
      </section>
      <div className="page">
        <section className="card visitor" aria-labelledby="visitor">
          <h2 id="visitor">Looking for an event?</h2>
          <p>
            Open the link that your club gave you: its page lists what is coming up. Your ticket is behind the link in
            the mail that you got when you registered; show its code at the door.
          </p>
        </section>
        <h2>What clubs get</h2>
        <ul className="cards">
          {reasons.map(({ title, text }) => (
            <li className="card" key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
