import type { ReactNode } from 'react'
import * as texts from '../../../texts/generated/common.ts'
import type { usePlainForm } from './use-plain-form.ts'

interface Props {
  state: ReturnType<typeof usePlainForm>
  /** The button's label. */
  action: string
  /** Shown after the problem, for example a link that helps. */
  afterProblem?: ReactNode
  /** Shown below the button. */
  note?: ReactNode
  children: ReactNode
}

/** A form of `usePlainForm`: the problem, the fields, and the one button. */
export function PlainForm({
  state: { form, problem, isSending, onSubmit },
  action,
  afterProblem,
  note,
  children,
}: Props) {
  return (
    // `post` keeps the input out of the address if it is sent before JavaScript runs; the server then answers with the page again.
    <form className="card" ref={form} method="post" onSubmit={onSubmit} noValidate>
      <p className="problem" role="alert" hidden data-not-loaded>
        {texts.notLoaded()}
      </p>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem} {afterProblem}
        </p>
      )}
      {children}
      <button type="submit" className="button wide" aria-disabled={isSending}>
        {isSending ? texts.oneMoment() : action}
      </button>
      {note}
      <noscript>
        <p className="muted small">{texts.thisFormNeedsJavascript()}</p>
      </noscript>
    </form>
  )
}
