import type { ReactNode } from 'react'
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

interface Props {
  onCode: (code: string) => Promise<void>
  /** Whether they have an app with codes; otherwise only a recovery code can be typed. */
  hasApp: boolean
  /** The button with which to use a passkey instead. */
  passkey: ReactNode
}

/** The second step of signing in, for those who have a second factor. */
export default function CodeForm({ onCode, hasApp, passkey }: Props) {
  const state = usePlainForm(fields, ({ code }) => onCode(code))
  return (
    <div className="page narrow" ref={takeFocus}>
      <PageTitle title={hasApp ? texts.title() : texts.secondStep()} />
      <h1>{hasApp ? texts.title() : texts.secondStep()}</h1>
      {passkey}
      <PlainForm state={state} action={texts.signIn()}>
        <Field
          label={hasApp ? texts.code() : texts.recoveryCode()}
          name="code"
          help={hasApp ? texts.codeHelp() : texts.recoveryHelp()}
          autoComplete={hasApp ? 'one-time-code' : 'off'}
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
