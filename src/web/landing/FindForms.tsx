import * as texts from '../../texts/generated/landing.ts'
import * as paths from '../paths.ts'
import { Field } from '../ui/forms/Field.tsx'
import styles from './FindForms.module.css'
import { FindTicketForm } from './FindTicketForm.tsx'

/** For visitors: finds a club by its name, and mails tickets again. Both work without script, as these pages have none. */
export function FindForms() {
  return (
    <div className={styles.forms}>
      <search className="card">
        <h3>{texts.findYourClub()}</h3>
        <FindClubForm />
      </search>
      <FindTicketForm title={texts.findYourTicket()} heading="h3" isQuiet />
    </div>
  )
}

/** Searches the clubs that visitors may find. */
export function FindClubForm({ name = '' }: { name?: string }) {
  return (
    <form method="get" action={paths.clubs}>
      <Field label={texts.clubName()} name="name" type="search" defaultValue={name} />
      <button type="submit" className="button light">
        {texts.findClubs()}
      </button>
    </form>
  )
}
