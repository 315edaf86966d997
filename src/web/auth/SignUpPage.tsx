import * as z from 'zod/mini'
import { authApi, signUpFields } from '../../contract/auth.ts'
import { Refusal } from '../../contract/errors.ts'
import { callFull } from '../api/call.ts'
import { paths } from '../paths.ts'
import { ownTimeZone } from '../ui/forms/choices.ts'
import { Field } from '../ui/forms/Field.tsx'
import { PasswordField } from '../ui/forms/PasswordField.tsx'
import { PlainForm } from '../ui/forms/PlainForm.tsx'
import { usePlainForm } from '../ui/forms/use-plain-form.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
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

const typedFields = z.omit(signUpFields, { timeZone: true, currency: true })

/** A club signs itself up. */
export function SignUpPage() {
  const state = usePlainForm(typedFields, async (fields) => {
    const { payload, token } = await signUp(fields)
    enter(payload.currentUser, token, paths.adminDashboard)
  })
  const { errors } = state
  return (
    <div className="page narrow">
      <PageTitle title="Sign up your club" />
      <h1>Sign up your club</h1>
      <PlainForm
        state={state}
        action="Sign up"
        note={
          <p className={`small muted ${styles.terms}`}>
            By signing up you accept the{' '}
            <a href={paths.page('terms')} target="_blank" rel="noopener">
              terms of use
            </a>{' '}
            and the{' '}
            <a href={paths.page('privacy-policy')} target="_blank" rel="noopener">
              privacy policy
            </a>
            .
          </p>
        }
      >
        <Field label="Name of the club" name="clubName" autoComplete="organization" required error={errors.clubName} />
        <Field label="Place (optional)" name="clubLocation" help="Town or address" error={errors.clubLocation} />
        <Field label="Your name" name="fullName" autoComplete="name" required error={errors.fullName} />
        <Field label="Your e-mail" name="email" type="email" autoComplete="username" required error={errors.email} />
        <PasswordField
          label="Password"
          help="At least 8 characters, with a number"
          autoComplete="new-password"
          error={errors.password}
        />
      </PlainForm>
      <p>
        Already signed up? <a href={paths.signin}>Sign in</a>
      </p>
    </div>
  )
}
