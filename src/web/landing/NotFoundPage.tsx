import * as texts from '../../texts/generated/landing.ts'
import * as paths from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { FindForms } from './FindForms.tsx'
import styles from './NotFoundPage.module.css'

interface Props {
  status?: string | undefined
  message?: string | undefined
}

/** Shows the status and message of its address, as plain text. */
export function NotFoundPage({ status = '404', message }: Props) {
  return (
    <div className="page">
      <PageTitle title={texts.notFound()} />
      <h1>{status.slice(0, 3)}</h1>
      <p className={styles.message}>{(message ?? texts.lost()).slice(0, 200)}</p>
      {message === undefined && <p className="muted">{texts.lostText()}</p>}
      <a className="button when-signed-in" href={paths.dashboard}>
        {texts.toYourDashboard()}
      </a>
      <a className="button when-signed-out" href={paths.landing}>
        {texts.toTheStartPage()}
      </a>
      <section className={`when-signed-out ${styles.find}`} aria-labelledby="find">
        <h2 id="find">{texts.findClubOrTicket()}</h2>
        <FindForms />
      </section>
    </div>
  )
}
