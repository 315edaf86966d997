import { type FormEvent, useState } from 'react'
import { isRefused, Refusal, type RefusalCode } from '../../../../contract/errors.ts'
import { correctionsEnd } from '../../../../contract/event.ts'
import type { FormQuestion } from '../../../../contract/forms.ts'
import { isCompanion } from '../../../../contract/order.ts'
import { phoneFieldFor } from '../../../../contract/phone-field.ts'
import type { RegistrationData } from '../../../../contract/registrations.ts'
import { newHolder, ticketApi } from '../../../../contract/tickets.ts'
import { formatDate, formatTime } from '../../../../contract/values/dates.ts'
import * as refusalTexts from '../../../../texts/generated/refusals.ts'
import * as texts from '../../../../texts/generated/ticket.ts'
import { useSend } from '../../../api/use-send.ts'
import * as paths from '../../../paths.ts'
import { InlineConfirmation } from '../../../ui/buttons/InlineConfirmation.tsx'
import { takeFocus } from '../../../ui/buttons/take-focus.ts'
import { useErrorFocus } from '../../../ui/forms/use-error-focus.ts'
import { keepNotice, notify } from '../../../ui/notices/notify.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useOnline } from '../../../ui/use-online.ts'
import { PersonFields } from '../../PersonFields.tsx'
import { errorsIn, errorsOf, type FieldErrors, readValues } from '../../registration-values.ts'
import type { Ticket } from '../ticket.ts'
import { forgetTicket } from './forget-ticket.ts'
import { QuestionsOfTicket } from './QuestionsOfTicket.tsx'
import { TicketFold } from './TicketFold.tsx'

/** Gives the ticket to somebody else, until the event's deadline. */
export function HandOn({ ticket }: { ticket: Ticket }) {
  const { event, checkin, registration, canHandOn, handOnNote, extras } = ticket
  const [isOpen, setOpen] = useState(false)
  const [unanswered, setUnanswered] = useState<readonly Person[]>([])
  const isOnline = useOnline()
  const end = correctionsEnd(event)
  const now = useNow()
  if (checkin?.status || event.status === 'cancelled' || now >= event.endsAt) return null
  // One that was read before the deadline does not say that it is over.
  const note = canHandOn && now >= end ? refusalTexts.handOnClosed() : handOnNote
  if (note !== null || !canHandOn) return note && <p className="muted small center">{note}</p>
  return (
    <TicketFold
      id="hand-on"
      title={texts.handOn()}
      isOpen={isOpen}
      // Without network it is useless; a form being filled in stays.
      isHidden={!isOnline && !isOpen}
      onToggle={setOpen}
    >
      <p>{texts.handOnText({ date: formatDate(end, event.timeZone), time: formatTime(end, event.timeZone) })}</p>
      {extras.length > 0 && <p>{texts.handOnVouchers()}</p>}
      {registration.amount > 0 && <p>{texts.handOnPaid()}</p>}
      {isOpen && (
        <QuestionsOfTicket ticket={ticket}>
          {(questions) => (
            <HandOnForm ticket={ticket} questions={questions} unanswered={unanswered} onUnanswered={setUnanswered} />
          )}
        </QuestionsOfTicket>
      )}
    </TicketFold>
  )
}

type Person = Pick<RegistrationData, 'name' | 'email'>

/** The refusals of a server that has found the ticket's code to be valid. */
const STILL_THEIRS: readonly RefusalCode[] = ['ALREADY_REGISTERED', 'EMAIL_LIMIT', 'HAND_ON_CLOSED']

const personOf = ({ name, email }: RegistrationData): Person => ({
  name: name.trim(),
  email: email.trim().toLowerCase(),
})

/** What to say of a ticket that was gone when the last try arrived; null if that was the person whom they entered now. */
function whoGotIt(unanswered: readonly Person[], { email }: Person): string | null {
  const [first, ...others] = unanswered
  if (!first) return null
  if (others.some((each) => each.email !== first.email)) return texts.handedOnToOneOf()
  return first.email === email ? null : texts.handedOnBefore({ name: first.name, email: first.email })
}

interface FormProps {
  ticket: Ticket
  questions: readonly FormQuestion[]
  /** Whom they have entered without an answer: each of these tries may have arrived. */
  unanswered: readonly Person[]
  onUnanswered: (tries: readonly Person[]) => void
}

function HandOnForm({ ticket: { registration, event }, questions, unanswered, onUnanswered }: FormProps) {
  const handOn = useSend(ticketApi.handOn, { quiet: true })
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isDone, setDone] = useState(false)
  /** Whom they have entered, while they are asked whether it is right. */
  const [asked, setAsked] = useState<RegistrationData | null>(null)
  const [wasKept, setKept] = useState(false)
  /** Why it was refused, where no field says so. */
  const [refusal, setRefusal] = useState<string | null>(null)
  const form = useErrorFocus(errors)
  const phoneField = phoneFieldFor(event.phoneField, isCompanion(registration))
  const isUnanswered: boolean = handOn.error !== null && !isRefused(handOn.error)

  function submit(submitted: FormEvent<HTMLFormElement>): void {
    submitted.preventDefault()
    const values = readValues(submitted.currentTarget, questions)
    const wrong = errorsIn(values, { questions, phoneField }, newHolder)
    setErrors(wrong)
    setRefusal(null)
    setAsked(Object.keys(wrong).length === 0 ? values : null)
  }

  async function send(registrationData: RegistrationData): Promise<void> {
    if (isDone) return
    const { id: registrationId, qrUuid } = registration
    try {
      await handOn.send({ payload: { registrationId, qrUuid, registrationData } })
      // The page that is loaded next says that the ticket is void.
      keepNotice()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // An earlier try had arrived, or somebody else was faster: the page of this ticket says so.
      if (error.code !== 'TICKET_HANDED_ON') {
        const { errors: wrong, rest } = errorsOf(error, questions)
        setErrors(wrong)
        if (!isRefused(error)) {
          onUnanswered([...unanswered, personOf(registrationData)])
          return
        }
        setAsked(null)
        if (Object.keys(wrong).length === 0) {
          setRefusal(rest.length > 0 ? rest.join(' ') : error.message)
          // Else the focus would be lost with the question.
          setKept(true)
        }
        // The ticket was still theirs, so none of the earlier tries was carried out.
        if (STILL_THEIRS.includes(error.code)) onUnanswered([])
        return
      }
      const news = whoGotIt(unanswered, personOf(registrationData))
      if (news !== null) {
        notify('info', news)
        keepNotice()
      }
    }
    setDone(true)
    await forgetTicket(registration)
    window.location.replace(paths.ticket(registration))
  }

  function keep(): void {
    // Whether it still is theirs, only the server knows.
    if (unanswered.length > 0) {
      window.location.reload()
      return
    }
    setAsked(null)
    setKept(true)
  }

  if (isDone)
    return (
      <p role="status" className="hint">
        {texts.handedOn()}
      </p>
    )
  return (
    <form
      ref={form}
      onSubmit={submit}
      onInput={() => {
        setAsked(null)
        setRefusal(null)
        // Else the button would take the focus from the field.
        setKept(false)
      }}
      noValidate
    >
      <PersonFields
        filledInBy="former holder"
        questions={questions}
        phoneField={phoneField}
        event={event}
        values={undefined}
        answerTo={() => undefined}
        errors={errors}
      />
      {asked && isUnanswered && (
        <p className="problem" role="alert">
          {handOn.error?.message}
        </p>
      )}
      {/* The notice has been read out. */}
      {refusal !== null && <p className="problem">{refusal}</p>}
      {asked ? (
        <InlineConfirmation
          question={texts.handOnQuestion({ name: asked.name.trim(), email: asked.email.trim() })}
          no={texts.keepMyTicket()}
          yes={texts.yesHandOn()}
          isSending={handOn.isPending}
          onNo={keep}
          onYes={() => void send(asked)}
        />
      ) : (
        <button type="submit" className="button" ref={wasKept ? takeFocus : null}>
          {texts.goOn()}
        </button>
      )}
    </form>
  )
}
