import { useState } from 'react'
import { authApi } from '../../contract/auth.ts'
import { call } from '../api/call.ts'
import { paths } from '../paths.ts'
import { Field } from '../ui/forms/Field.tsx'
import { PlainForm } from '../ui/forms/PlainForm.tsx'
import { usePlainForm } from '../ui/forms/use-plain-form.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

/** Requests a link for a new password. The answer does not reveal whether the address is known. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const state = usePlainForm(authApi.forgotPassword.input, async (input) => {
    await call(authApi.forgotPassword, input, { quiet: true })
    setSentTo(input.email)
  })
  return (
    <div className="page narrow">
      <PageTitle title="Forgot your password?" />
      <h1>Forgot your password?</h1>
      {sentTo === null ? (
        <PlainForm state={state} action="Send the link">
          <p>Enter the e-mail address with which you sign in. We send you a link to choose a new password.</p>
          <Field label="E-mail" name="email" type="email" autoComplete="username" error={state.errors.email} />
        </PlainForm>
      ) : (
        <div className="card" role="status">
          <p>
            If somebody signs in here as <strong>{sentTo}</strong>, a link is on its way to that address. It works once,
            for 30 minutes.
          </p>
          <p>Nothing arrived? Look into the spam folder, or ask the operator for a new password.</p>
        </div>
      )}
      <p>
        <a href={paths.signin}>Back to sign in</a>
      </p>
    </div>
  )
}
