import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Event } from '../../contract/event.ts'
import type { FormQuestion } from '../../contract/forms.ts'
import { onSale, type TicketType } from '../../contract/ticket-type.ts'
import * as texts from '../../texts/generated/formBuilder.ts'
import { FailureSummary } from '../registrations/FailureSummary.tsx'
import { PersonFields } from '../registrations/PersonFields.tsx'
import { errorsIn, questionName, readValues } from '../registrations/registration-values.ts'
import { withTickets } from '../registrations/ticket-type/chosen-type.ts'
import { useFieldErrors } from '../registrations/use-field-errors.ts'
import { fieldPlace } from '../ui/forms/field-place.ts'
import type { DraftForm } from './draft-form.ts'
import { contentOf, type DraftQuestion } from './draft-questions.ts'
import styles from './FormPreview.module.css'
import { ownUndo } from './history/use-undo-keys.ts'

interface Props {
  event: Event
  form: DraftForm
  ticketTypes: readonly TicketType[]
  /** The question that is being edited, which the preview keeps in view; null for none. */
  openKey: number | null
}

/** Scrolls the box alone, so that the page stays where it is. */
function showIn(box: HTMLElement | null, id: string): void {
  const place = box?.querySelector(`#${CSS.escape(id)}`)
  if (!box || !place) return
  const [outer, inner] = [box.getBoundingClientRect(), place.getBoundingClientRect()]
  if (inner.top < outer.top + MARGIN) box.scrollBy({ top: inner.top - outer.top - MARGIN })
  else if (inner.bottom > outer.bottom - MARGIN) box.scrollBy({ top: inner.bottom - outer.bottom + MARGIN })
}

/** Space kept above and below the question, in px, so that the button at the bottom does not hide it. */
const MARGIN = 80

/** The form as visitors will see it, with their components. It can be tried out; nothing is sent. */
export function FormPreview({ event, form, ticketTypes, openKey }: Props) {
  const box = useRef<HTMLElement>(null)
  const edited = form.questions.find(({ key }) => key === openKey)
  useEffect(() => {
    if (edited) showIn(box.current, fieldPlace(questionName({ id: edited.key })))
  }, [edited])
  // Which ticket is chosen is not tried out: the questions for all are shown, and what for.
  const questions = withTickets(
    form.questions.map((draft) => asVisitorsSee(draft, event)),
    onSale(ticketTypes),
  )
  const asked = { phoneField: form.phoneField, questions }
  const fields = useFieldErrors(asked)
  const [isTried, setTried] = useState(false)
  const tryOut = (submitted: FormEvent<HTMLFormElement>) => {
    submitted.preventDefault()
    const errors = errorsIn(readValues(submitted.currentTarget, asked.questions), asked)
    const isValid = Object.keys(errors).length === 0
    setTried(isValid)
    if (isValid) fields.reset()
    else fields.fail({ errors, messages: [] })
  }
  return (
    <section ref={box} className={`card ${styles.preview}`} aria-labelledby="preview">
      <h2 id="preview">{texts.asVisitorsSeeIt()}</h2>
      <p className="muted small">{texts.alsoOnThePage()}</p>
      <form
        {...ownUndo}
        autoComplete="off"
        noValidate
        onSubmit={tryOut}
        onBlur={fields.validateLeft}
        onChange={({ target, currentTarget }) => {
          setTried(false)
          // After React has updated the fields that depend on this one.
          setTimeout(() => fields.clearCorrected(currentTarget, target))
        }}
      >
        <FailureSummary
          ref={fields.summary}
          failure={fields.failure}
          isShown={fields.hasFailed}
          asked={asked.questions}
          questions={asked.questions}
          people={[]}
        />
        <PersonFields
          filledInBy="visitor"
          questions={questions}
          phoneField={asked.phoneField}
          event={event}
          values={undefined}
          answerTo={() => undefined}
          errors={fields.failure.errors}
        />
        <button type="submit" className="button wide" onMouseDown={(press) => press.preventDefault()}>
          {texts.register()}
        </button>
        <p className={styles.note} role="status">
          {isTried ? texts.allFilledIn() : texts.tryItOut()}
        </p>
      </form>
    </section>
  )
}

/** The draft as a stored question; empty options are not shown, and of two that read the same only one. */
function asVisitorsSee(draft: DraftQuestion, { id: eventId }: Event): FormQuestion {
  const { text, options, ...content } = contentOf(draft)
  return {
    ...content,
    text: text.trim() || texts.yourQuestion(),
    options: [...new Set(options.map((option) => option.trim()).filter((option) => option !== ''))],
    // Tells the fields apart; the key stays the same wherever the question moves.
    id: draft.key,
    eventId,
    position: 0,
    version: 1,
  }
}
