import { paths } from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { FindForms } from './FindForms.tsx'
import styles from './LandingPage.module.css'

const reasons = [
  {
    icon: 'ticket',
    title: 'Registration without an account',
    text: 'Your members pick an event, fill in a few fields, and have their ticket on the screen and in their mail.',
  },
  {
    icon: 'users',
    title: 'No place is sold twice',
    text: 'However many people press the button at the same moment, nobody is promised a seat that is not there.',
  },
  {
    icon: 'forms',
    title: 'Your own questions',
    text: 'Ask what you need to know, from shirt sizes to allergies, and take all answers with you as a spreadsheet.',
  },
  {
    icon: 'qrcode',
    title: 'A fast door',
    text: 'Scan tickets with any phone, also without network. Each lets one person in, however many of you are scanning.',
  },
  {
    icon: 'credit-card',
    title: 'Card payments and vouchers',
    text: 'Charge for places, and sell drinks, meals or parking with them. Each voucher has a code of its own.',
  },
  {
    icon: 'server',
    title: 'On your own server',
    text: 'Your members’ data stay with you. No advertising, no tracking, nothing from other companies.',
  },
]

/** The home page: shows Turnout to clubs, and leads visitors to their club and their ticket. */
export function LandingPage() {
  return (
    <>
      <PageTitle title="" />
      <section className={styles.hero}>
        <div className={styles.heroInner}>
          <div>
            <h1>Your club’s events, from sign‑up to the door</h1>
            <p>Turnout takes registrations and payments, sends tickets and checks people in, on your own server.</p>
            <div className="row">
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
          </div>
          <div className={styles.phones}>
            <Phone picture="event" alt="An event’s page on a phone: date, place, price and the button to register" />
            <Phone picture="ticket" alt="A ticket on a phone, with its QR code" />
          </div>
        </div>
      </section>
      <div className="page">
        <section aria-labelledby="visitor">
          <h2 id="visitor">Looking for an event or your ticket?</h2>
          <FindForms />
        </section>
        <section className={styles.clubs} aria-labelledby="clubs">
          <h2 id="clubs">What clubs get</h2>
          <ul className="cards">
            {reasons.map(({ icon, title, text }) => (
              <li className="card" key={title}>
                <span className={`icon ${icon} ${styles.sign}`} aria-hidden="true" />
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </section>
        <section className={styles.door} aria-labelledby="door">
          <div>
            <h2 id="door">Everybody sees who may come in</h2>
            <p>
              Green with a name, red with the reason, orange when something is left to pay: one look is enough, also in
              the dark and in a crowd. Phones without network go on with the list they have, and compare notes later.
            </p>
            <a className="button when-signed-out" href={paths.register}>
              Sign up your club
            </a>
          </div>
          <Phone picture="verdict" alt="The scanner on a phone: a green screen with the word Valid and a name" />
        </section>
      </div>
    </>
  )
}

/** A picture of the product, made by `npm run pictures`. */
function Phone({ picture, alt }: { picture: 'event' | 'ticket' | 'verdict'; alt: string }) {
  return <img className={styles.phone} src={`/img/landing-${picture}.webp`} alt={alt} width="390" height="756" />
}
