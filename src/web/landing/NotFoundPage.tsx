import { paths } from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { FindForms } from './FindForms.tsx'
import styles from './NotFoundPage.module.css'

interface Props {
  status?: string | undefined
  message?: string | undefined
}

/** Shows the status and message of its address, as plain text. */
export function NotFoundPage({ status = '404', message = "Looks like you're lost!" }: Props) {
  return (
    <div className="page">
      <PageTitle title="Not found" />
      <h1>{status.slice(0, 3)}</h1>
      <p>{message.slice(0, 200)}</p>
      <a className="button when-signed-in" href={paths.dashboard}>
        To your dashboard
      </a>
      <a className="button when-signed-out" href={paths.landing}>
        To the start page
      </a>
      <section className={`when-signed-out ${styles.find}`} aria-labelledby="find">
        <h2 id="find">Find your club or your ticket</h2>
        <FindForms />
      </section>
    </div>
  )
}
