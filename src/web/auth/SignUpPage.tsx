import { authApi, typedSignUpFields } from '../../contract/auth.ts'
import { Refusal } from '../../contract/errors.ts'
import type { PageType } from '../../contract/pages.ts'
import * as texts from '../../texts/generated/signUp.ts'
import { callFull } from '../api/call.ts'
import * as paths from '../paths.ts'
import { ownTimeZone } from '../ui/forms/choices.ts'
import { Field } from '../ui/forms/Field.tsx'
import { PasswordField } from '../ui/forms/PasswordField.tsx'
import { PlainForm } from '../ui/forms/PlainForm.tsx'
import { usePlainForm } from '../ui/forms/use-plain-form.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Parts } from '../ui/Parts.tsx'
import { enter } from './enter.ts'
import styles from './SignUpPage.module.css'

/** Defaults for the club's events, as far as the browser reveals them. */
async function whereabouts() {
  const timeZone = ownTimeZone()
  // Loaded here because it is large and not needed earlier; if it fails, the club chooses its currency itself.
  const part = await import('../../contract/values/currency-of-zone.ts').catch(() => null)
  const currency = part?.currencyOfZone(timeZone) ?? null
  return { timeZone, ...(currency !== null && { currency }) }
}

/** Signs up; leaves out the time zone if the server does not know it. */
async function signUp(fields: Parameters<typeof callFull<typeof authApi.register>>[1]) {
  return callFull(authApi.register, { ...fields, ...(await whereabouts()) }, { quiet: true }).catch(
    (error: unknown) => {
      const isGuess =
        error instanceof Refusal && error.fields.some(({ path }) => path === 'timeZone' || path === 'currency')
      if (!isGuess) throw error
      return callFull(authApi.register, fields, { quiet: true })
    },
  )
}

function linkTo(page: PageType) {
  return (text: string) => (
    <a href={paths.page(page)} target="_blank" rel="noopener">
      {text}
    </a>
  )
}

/** A club signs itself up. */
export function SignUpPage() {
  const state = usePlainForm(typedSignUpFields, async (fields) => {
    const { payload, token } = await signUp(fields)
    enter(payload.currentUser, token, paths.adminDashboard)
  })
  const { errors } = state
  return (
    <div className="page narrow">
      <PageTitle title={texts.signUpYourClub()} />
      <h1>{texts.signUpYourClub()}</h1>
      <PlainForm
        state={state}
        action={texts.signUp()}
        note={
          <p className={`small muted ${styles.terms}`}>
            <Parts of={texts.accept({ terms: linkTo('terms'), privacy: linkTo('privacy-policy') })} />
          </p>
        }
      >
        <Field
          label={texts.nameOfTheClub()}
          name="clubName"
          autoComplete="organization"
          required
          error={errors.clubName}
        />
        <Field
          label={texts.placeOptional()}
          name="clubLocation"
          help={texts.townOrAddress()}
          error={errors.clubLocation}
        />
        <Field label={texts.yourName()} name="fullName" autoComplete="name" required error={errors.fullName} />
        <Field
          label={texts.yourEMail()}
          name="email"
          type="email"
          autoComplete="username"
          required
          error={errors.email}
        />
        <PasswordField
          label={texts.password()}
          help={texts.passwordHint()}
          autoComplete="new-password"
          error={errors.password}
        />
      </PlainForm>
      <p>
        <Parts of={texts.already({ link: (text) => <a href={paths.signin}>{text}</a> })} />
      </p>
    </div>
  )
}
