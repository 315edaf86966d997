import * as z from 'zod/mini'
import { code } from '../../contract/sign-in.ts'
import * as texts from '../../texts/generated/signInCode.ts'
import * as paths from '../paths.ts'
import { Field } from '../ui/forms/Field.tsx'
import { PlainForm } from '../ui/forms/PlainForm.tsx'
import { usePlainForm } from '../ui/forms/use-plain-form.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

const fields = z.strictObject({ code })

/** Focuses what replaces the form that was just sent. */
const takeFocus = (element: HTMLElement | null) => element?.querySelector('input')?.focus()

/** The second step of signing in, for those who have a second factor. */
export default function CodeForm({ onCode }: { onCode: (code: string) => Promise<void> }) {
  const state = usePlainForm(fields, ({ code }) => onCode(code))
  return (
    <div className="page narrow" ref={takeFocus}>
      <PageTitle title={texts.title()} />
      <h1>{texts.title()}</h1>
      <PlainForm state={state} action={texts.signIn()}>
        <Field
          label={texts.code()}
          name="code"
          help={texts.codeHelp()}
          autoComplete="one-time-code"
          error={state.errors.code}
        />
      </PlainForm>
      <p className="muted small">{texts.lost()}</p>
      <p>
        <a href={paths.signin}>{texts.back()}</a>
      </p>
    </div>
  )
}
