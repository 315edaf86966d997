import * as z from 'zod/mini'
import { authApi } from '../../contract/auth.ts'
import * as texts from '../../texts/generated/passwords.ts'
import { call } from '../api/call.ts'
import { goTo } from '../go-to.ts'
import * as paths from '../paths.ts'
import { PlainForm } from '../ui/forms/PlainForm.tsx'
import { usePlainForm } from '../ui/forms/use-plain-form.ts'
import { keepNotice } from '../ui/notices/notify.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

const fields = z.object({})

/**
 * Confirms a new address with the link from the mail, whose token follows the `#`. By a button: what opens a mail's links by itself must
 * not confirm anything.
 */
export function ConfirmAddressPage() {
  const state = usePlainForm(fields, async () => {
    await call(authApi.confirmAddress, { token: window.location.hash.slice(1) })
    // The server's message is shown on the next page.
    keepNotice()
    goTo(paths.signin)
  })
  return (
    <div className="page narrow">
      <PageTitle title={texts.confirmYourAddress()} />
      <h1>{texts.confirmYourAddress()}</h1>
      <PlainForm state={state} action={texts.confirmIt()} afterProblem={<a href={paths.profile}>{texts.askAgain()}</a>}>
        <p>{texts.confirmText()}</p>
      </PlainForm>
    </div>
  )
}
