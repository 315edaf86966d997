import type { ReactNode } from 'react'
import type { usePlainForm } from './use-plain-form.ts'

interface Props {
  state: ReturnType<typeof usePlainForm>
  /** What the button does. */
  action: string
  /** Leads on from what went wrong. */
  afterProblem?: ReactNode
  /** Below the button. */
  note?: ReactNode
  children: ReactNode
}

/** A form of `usePlainForm`: what went wrong, its fields, and its one button. */
export function PlainForm({
  state: { form, problem, isSending, onSubmit },
  action,
  afterProblem,
  note,
  children,
}: Props) {
  return (
    // Sent before script runs, what was typed never stands in the address: the server answers with the page again.
    <form className="card" ref={form} method="post" onSubmit={onSubmit} noValidate>
      <p className="problem" role="alert" hidden data-not-loaded>
        This page has not loaded completely. Please check your connection and try again.
      </p>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem} {afterProblem}
        </p>
      )}
      {children}
      <button type="submit" className="button wide" aria-disabled={isSending}>
        {isSending ? 'One moment …' : action}
      </button>
      {note}
      <noscript>
        <p className="muted small">This form needs JavaScript.</p>
      </noscript>
    </form>
  )
}
