import { type FormEvent, useRef, useState } from 'react'
import { Refusal } from '../../../../contract/errors.ts'
import { correctionsEnd } from '../../../../contract/event.ts'
import type { FormQuestion } from '../../../../contract/forms.ts'
import { phoneFieldAfter } from '../../../../contract/phone-field.ts'
import { ticketApi } from '../../../../contract/tickets.ts'
import { formatDate, formatTime } from '../../../../contract/values/dates.ts'
import * as texts from '../../../../texts/generated/ticket.ts'
import { call } from '../../../api/call.ts'
import { useSend } from '../../../api/use-send.ts'
import { useRenderedPage } from '../../../rendered-page.ts'
import { useErrorFocus } from '../../../ui/forms/use-error-focus.ts'
import { notify } from '../../../ui/notices/notify.ts'
import { useNoticeFocus } from '../../../ui/notices/use-notice-focus.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useOnline } from '../../../ui/use-online.ts'
import { PersonFields } from '../../PersonFields.tsx'
import { errorsOf, type FieldErrors, readValues } from '../../registration-values.ts'
import type { Ticket } from '../ticket.ts'
import { QuestionsOfTicket } from './QuestionsOfTicket.tsx'
import { TicketFold } from './TicketFold.tsx'

/** The form in which a ticket holder corrects the registration, before the event's deadline. */
export function CorrectTicket({ ticket }: { ticket: Ticket }) {
  const { registration, event, checkin } = ticket
  const [isOpen, setOpen] = useState(false)
  const summary = useRef<HTMLElement>(null)
  const { refresh } = useRenderedPage()
  // Each version has its own form; while one is being filled in, a newer version does not replace it.
  const [shown, setShown] = useState(ticket)
  async function reload(): Promise<void> {
    const { id: registrationId, qrUuid } = registration
    setShown(await call(ticketApi.getRegistration, { registrationId, qrUuid }, { quiet: true }))
    await refresh()
  }
  const end = correctionsEnd(event)
  const isOver = useNow() >= end || event.status === 'cancelled'
  const isOnline = useOnline()
  if (registration.status === 'cancelled' || checkin?.status || isOver) return null
  return (
    <TicketFold
      id="correct"
      title={texts.correctDetails()}
      isOpen={isOpen}
      // Without network it is useless; a form being filled in stays.
      isHidden={!isOnline && !isOpen}
      onToggle={(isNowOpen) => {
        if (isNowOpen) setShown(ticket)
        setOpen(isNowOpen)
      }}
      summary={summary}
    >
      <p>{texts.correctUntil({ date: formatDate(end, event.timeZone), time: formatTime(end, event.timeZone) })}</p>
      {isOpen && (
        <QuestionsOfTicket ticket={shown}>
          {(questions) => (
            <CorrectionForm
              key={shown.registration.version}
              ticket={shown}
              questions={questions}
              onSaved={() => {
                setOpen(false)
                summary.current?.focus()
                refresh().catch(() => {})
              }}
              onReload={() => void reload().catch(() => notify('error', texts.noConnection()))}
            />
          )}
        </QuestionsOfTicket>
      )}
    </TicketFold>
  )
}

interface FormProps {
  ticket: Ticket
  questions: readonly FormQuestion[]
  onSaved: () => void
  onReload: () => void
}

function CorrectionForm({ ticket: { registration, event, club }, questions, onSaved, onReload }: FormProps) {
  const correct = useSend(ticketApi.correct)
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
      await correct.send({ payload: { registrationId, qrUuid, registrationData: corrected, version } })
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
        event={event}
        values={registrationData}
        answerTo={({ id }) => registrationData.others.find(({ qId }) => qId === id)?.answer}
        errors={errors}
      />
      {email && <p className="muted">{texts.belongsTo({ email, club: club.email || club.name })}</p>}
      <button type="submit" className="button" aria-disabled={correct.isPending}>
        {texts.save()}
      </button>
    </form>
  )
}

function Conflict({ onReload }: { onReload: () => void }) {
  const notice = useNoticeFocus<HTMLDivElement>()
  return (
    <div className="problem" role="alert" tabIndex={-1} ref={notice}>
      <p>{texts.changedByClub()}</p>
      <button type="button" className="button" onClick={onReload}>
        {texts.loadTheLatest()}
      </button>
    </div>
  )
}
