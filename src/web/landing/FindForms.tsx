import { paths } from '../paths.ts'
import { REGISTERED_EMAIL } from '../registrations/FindTicket.tsx'
import { useRenderedPage } from '../rendered-page.ts'
import { Field } from '../ui/forms/Field.tsx'
import styles from './FindForms.module.css'

/** For visitors: finds a club by its name, and mails tickets again. Both work without script, as these pages have none. */
export function FindForms({ name = '' }: { name?: string }) {
  const { submitted } = useRenderedPage()
  const sent = submitted?.form === 'find ticket' ? submitted : null
  const error = sent?.messages[0]
  return (
    <div className={styles.forms}>
      <search className="card">
        <form method="get" action={paths.clubs}>
          <h3>Find your club</h3>
          <Field label="Name or place of the club" name="name" type="search" defaultValue={name} />
          <button type="submit" className="button">
            Find clubs
          </button>
        </form>
      </search>
      {/* With the hash the page opens at the answer. */}
      <form className="card" method="post" action={`${paths.landing}#tickets`} id="tickets" noValidate>
        <h3>Find your ticket</h3>
        <Field
          label="Mail address you registered with"
          name={REGISTERED_EMAIL}
          type="email"
          inputMode="email"
          autoComplete="email"
          defaultValue={sent?.values[REGISTERED_EMAIL]?.[0]}
          error={error}
        />
        <button type="submit" className="button">
          Send me my tickets
        </button>
        {sent && error === undefined && (
          <p role="status">
            Please look into your mail: if the address is registered for events to come, the tickets are there in a
            minute.
          </p>
        )}
      </form>
    </div>
  )
}
