import { paths } from '../paths.ts'
import { Field } from '../ui/forms/Field.tsx'
import styles from './FindForms.module.css'
import { FindTicketForm } from './FindTicketForm.tsx'

/** For visitors: finds a club by its name, and mails tickets again. Both work without script, as these pages have none. */
export function FindForms({ name = '' }: { name?: string }) {
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
      <FindTicketForm title="Find your ticket" heading="h3" />
    </div>
  )
}
