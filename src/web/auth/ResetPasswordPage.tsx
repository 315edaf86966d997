import * as z from 'zod/mini'
import { authApi } from '../../contract/auth.ts'
import { newPassword } from '../../contract/values/account-fields.ts'
import * as texts from '../../texts/generated/passwords.ts'
import { call } from '../api/call.ts'
import { goTo } from '../go-to.ts'
import * as paths from '../paths.ts'
import { PasswordField } from '../ui/forms/PasswordField.tsx'
import { PlainForm } from '../ui/forms/PlainForm.tsx'
import { usePlainForm } from '../ui/forms/use-plain-form.ts'
import { keepNotice } from '../ui/notices/notify.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

const fields = z.object({ password: newPassword })

/** Sets a new password with the link from the mail. Its token follows the `#`, so that no server on the way sees it. */
export function ResetPasswordPage() {
  const state = usePlainForm(fields, async ({ password }) => {
    await call(authApi.resetPassword, { token: window.location.hash.slice(1), password })
    // The server's message is shown on the next page.
    keepNotice()
    goTo(paths.signin)
  })
  return (
    <div className="page narrow">
      <PageTitle title={texts.chooseANewPassword()} />
      <h1>{texts.chooseANewPassword()}</h1>
      <PlainForm
        state={state}
        action={texts.setThePassword()}
        afterProblem={<a href={paths.forgotPassword}>{texts.newLink()}</a>}
      >
        <PasswordField
          label={texts.newPassword()}
          help={texts.passwordHint()}
          autoComplete="new-password"
          error={state.errors.password}
        />
      </PlainForm>
    </div>
  )
}
