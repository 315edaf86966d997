import { QueryErrorResetBoundary, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, Suspense, useRef, useState } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { Refusal } from '../../../contract/errors.ts'
import { correctionsEnd } from '../../../contract/event.ts'
import { formApi } from '../../../contract/forms.ts'
import { phoneFieldAfter } from '../../../contract/phone-field.ts'
import { registrationApi } from '../../../contract/registrations.ts'
import { ticketApi } from '../../../contract/tickets.ts'
import { formatDate, formatTime } from '../../../contract/values/dates.ts'
import { query, useCall } from '../../api/query.ts'
import { useErrorFocus } from '../../ui/forms/use-error-focus.ts'
import { Loading } from '../../ui/Loading.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { useNoticeFocus } from '../../ui/notices/use-notice-focus.ts'
import { useNow } from '../../ui/use-now.ts'
import { useOnline } from '../../ui/use-online.ts'
import { PersonFields } from '../PersonFields.tsx'
import { errorsOf, type FieldErrors, readValues } from '../registration-values.ts'
import type { Ticket } from './ticket.ts'

/** The form in which a ticket holder corrects the registration, before the event's deadline. */
export function CorrectTicket({ ticket }: { ticket: Ticket }) {
  const { registration, event, checkin } = ticket
  const [isOpen, setOpen] = useState(false)
  const summary = useRef<HTMLElement>(null)
  const client = useQueryClient()
  // Each version has its own form; while one is being filled in, a newer version does not replace it.
  const [shown, setShown] = useState(ticket)
  async function reload(): Promise<void> {
    const { id: registrationId, qrUuid } = registration
    const latest = query(registrationApi.getRegistration, { registrationId, qrUuid })
    setShown(await client.fetchQuery({ ...latest, staleTime: 0 }))
  }
  const end = correctionsEnd(event)
  const isOver = useNow() >= end || event.status === 'cancelled'
  const isOnline = useOnline()
  if (registration.status === 'cancelled' || checkin?.status || isOver) return null
  // Hidden without network, where it is useless; a form being filled in stays.
  if (!isOnline && !isOpen) return null
  return (
    <details
      className="card"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && !isOpen) setShown(ticket)
        setOpen(currentTarget.open)
      }}
    >
      <summary ref={summary}>Correct your details</summary>
      <p>
        You can correct them here until {formatDate(end, event.timeZone)} {formatTime(end, event.timeZone)}.
      </p>
      {isOpen && (
        <QueryErrorResetBoundary>
          {({ reset }) => (
            <ErrorBoundary FallbackComponent={NotLoaded} onReset={reset}>
              <Suspense fallback={<Loading />}>
                <CorrectionForm
                  key={shown.registration.version}
                  ticket={shown}
                  onSaved={() => {
                    setOpen(false)
                    summary.current?.focus()
                  }}
                  onReload={() => void reload().catch(() => notify('error', 'No connection. Please try again.'))}
                />
              </Suspense>
            </ErrorBoundary>
          )}
        </QueryErrorResetBoundary>
      )}
    </details>
  )
}

/** Shown when the form cannot be loaded; the ticket stays on the page. */
function NotLoaded({ error, resetErrorBoundary }: FallbackProps) {
  return (
    <>
      <p role="alert">{error instanceof Refusal ? error.message : 'The form could not be loaded.'}</p>
      <button type="button" className="button quiet" onClick={resetErrorBoundary}>
        Try again
      </button>
    </>
  )
}

interface FormProps {
  ticket: Ticket
  onSaved: () => void
  onReload: () => void
}

function CorrectionForm({ ticket: { registration, event }, onSaved, onReload }: FormProps) {
  const { data: questions } = useSuspenseQuery(query(formApi.getFormQuestions, { eventId: event.id }))
  const correct = useCall(ticketApi.correct)
  const [errors, setErrors] = useState<FieldErrors>({})
  const { registrationData } = registration
  const { email } = registrationData
  const form = useErrorFocus(errors)

  async function submit(submitted: FormEvent<HTMLFormElement>): Promise<void> {
    submitted.preventDefault()
    if (correct.isPending) return
    const { email: _, ...corrected } = readValues(submitted.currentTarget, questions)
    const { id: registrationId, qrUuid, version } = registration
    try {
      await correct.mutateAsync({ payload: { registrationId, qrUuid, registrationData: corrected, version } })
      onSaved()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setErrors(errorsOf(error, questions).errors)
    }
  }
  return (
    <form ref={form} onSubmit={(submitted) => void submit(submitted)} noValidate>
      {correct.error?.code === 'EDIT_CONFLICT' && <Conflict onReload={onReload} />}
      <PersonFields
        filledInBy="holder"
        questions={questions}
        phoneField={phoneFieldAfter(event.phoneField, registrationData.phone)}
        timeZone={event.timeZone}
        values={registrationData}
        answerTo={({ id }) => registrationData.others.find(({ qId }) => qId === id)?.answer}
        errors={errors}
      />
      {email && (
        <p className="muted">The ticket belongs to {email}. To change the address, please write to the club.</p>
      )}
      <button type="submit" className="button" aria-disabled={correct.isPending}>
        Save
      </button>
    </form>
  )
}

function Conflict({ onReload }: { onReload: () => void }) {
  const notice = useNoticeFocus<HTMLDivElement>()
  return (
    <div className="problem" role="alert" tabIndex={-1} ref={notice}>
      <p>
        The club has changed this in the meantime. Your changes are not saved, and theirs are not overwritten. Loading
        the latest replaces what you typed.
      </p>
      <button type="button" className="button" onClick={onReload}>
        Load the latest
      </button>
    </div>
  )
}
