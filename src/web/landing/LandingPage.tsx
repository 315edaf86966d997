import * as texts from '../../texts/generated/landing.ts'
import * as paths from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { FindForms } from './FindForms.tsx'
import styles from './LandingPage.module.css'

const reasons = [
  {
    icon: 'ticket',
    title: texts.noAccount,
    text: texts.noAccountText,
  },
  {
    icon: 'users',
    title: texts.noDoubleSale,
    text: texts.noDoubleSaleText,
  },
  {
    icon: 'forms',
    title: texts.ownQuestions,
    text: texts.ownQuestionsText,
  },
  {
    icon: 'qrcode',
    title: texts.fastDoor,
    text: texts.fastDoorText,
  },
  {
    icon: 'credit-card',
    title: texts.payments,
    text: texts.paymentsText,
  },
  {
    icon: 'server',
    title: texts.ownData,
    text: texts.ownDataText,
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
            <h1>{texts.headline()}</h1>
            <p>{texts.promise()}</p>
            <div className="row">
              <a className="button when-signed-in" href={paths.dashboard}>
                {texts.goToYourDashboard()}
              </a>
              <a className="button when-signed-out" href={paths.register}>
                {texts.signUpYourClub()}
              </a>
              <a className={`button when-signed-out ${styles.ghost}`} href={paths.signin}>
                {texts.signIn()}
              </a>
            </div>
          </div>
          <div className={styles.phones}>
            <Phone picture="event" alt={texts.eventPicture()} />
            <Phone picture="ticket" alt={texts.ticketPicture()} />
          </div>
        </div>
      </section>
      <div className="page">
        <section aria-labelledby="visitor">
          <h2 id="visitor">{texts.findHeading()}</h2>
          <FindForms />
        </section>
        <section className={styles.clubs} aria-labelledby="clubs">
          <h2 id="clubs">{texts.whatClubsGet()}</h2>
          <Workspace />
          <ul className={styles.reasons}>
            {reasons.map(({ icon, title, text }) => (
              <li key={icon}>
                <span className={`icon ${icon} ${styles.sign}`} aria-hidden="true" />
                <div>
                  <h3>{title()}</h3>
                  <p>{text()}</p>
                </div>
              </li>
            ))}
          </ul>
        </section>
        <section className={styles.door} aria-labelledby="door">
          <div>
            <h2 id="door">{texts.doorHeading()}</h2>
            <p>{texts.doorText()}</p>
            <a className="button when-signed-out" href={paths.register}>
              {texts.signUpYourClub()}
            </a>
          </div>
          <div className={styles.verdicts}>
            <Phone picture="verdict" alt={texts.verdictPicture()} />
            <Phone picture="already" alt={texts.alreadyPicture()} />
            <Phone picture="unpaid" alt={texts.unpaidPicture()} />
          </div>
        </section>
      </div>
    </>
  )
}

/** An organiser's screen, in light or dark as the device: a phone's on phones, so that its words can be read. */
function Workspace() {
  return (
    <picture className={styles.workspace}>
      <source {...phoneSource('-dark')} media="(max-width: 599px) and (prefers-color-scheme: dark)" />
      <source {...phoneSource('')} media="(max-width: 599px)" />
      <source srcSet="/img/landing-workspace-dark.webp" media="(prefers-color-scheme: dark)" />
      <img src="/img/landing-workspace.webp" alt={texts.workspacePicture()} width="1280" height="800" loading="lazy" />
    </picture>
  )
}

const phoneSource = (scheme: '' | '-dark') => ({
  srcSet: `/img/landing-workspace-phone${scheme}.webp`,
  width: 390,
  height: 604,
})

/** A picture of the product, made by `npm run pictures`. */
function Phone({ picture, alt }: { picture: 'event' | 'ticket' | 'verdict' | 'already' | 'unpaid'; alt: string }) {
  return <img className={styles.phone} src={`/img/landing-${picture}.webp`} alt={alt} width="390" height="756" />
}
