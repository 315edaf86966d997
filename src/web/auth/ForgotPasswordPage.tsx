import { useState } from 'react'
import { authApi } from '../../contract/auth.ts'
import * as texts from '../../texts/generated/passwords.ts'
import { call } from '../api/call.ts'
import * as paths from '../paths.ts'
import { Field } from '../ui/forms/Field.tsx'
import { PlainForm } from '../ui/forms/PlainForm.tsx'
import { usePlainForm } from '../ui/forms/use-plain-form.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Parts } from '../ui/Parts.tsx'

/** Requests a link for a new password. The answer does not reveal whether the address is known. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const state = usePlainForm(authApi.forgotPassword.input, async (input) => {
    await call(authApi.forgotPassword, input, { quiet: true })
    setSentTo(input.email)
  })
  return (
    <div className="page narrow">
      <PageTitle title={texts.forgotYourPassword()} />
      <h1>{texts.forgotYourPassword()}</h1>
      {sentTo === null ? (
        <PlainForm state={state} action={texts.sendTheLink()}>
          <p>{texts.enterAddress()}</p>
          <Field label={texts.eMail()} name="email" type="email" autoComplete="username" error={state.errors.email} />
        </PlainForm>
      ) : (
        <div className="card" role="status">
          <p>
            <Parts of={texts.linkSent({ email: sentTo, strong: (email) => <strong>{email}</strong> })} />
          </p>
          <p>{texts.nothingArrived()}</p>
        </div>
      )}
      <p>
        <a href={paths.signin}>{texts.backToSignIn()}</a>
      </p>
    </div>
  )
}
