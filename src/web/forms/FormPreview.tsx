import { type FormEvent, useState } from 'react'
import type { Event } from '../../contract/event.ts'
import type { FormQuestion } from '../../contract/forms.ts'
import { FailureSummary } from '../registrations/FailureSummary.tsx'
import { PersonFields } from '../registrations/PersonFields.tsx'
import { errorsIn, readValues } from '../registrations/registration-values.ts'
import { useFieldErrors } from '../registrations/use-field-errors.ts'
import type { DraftForm } from './draft-form.ts'
import { contentOf, type DraftQuestion } from './draft-questions.ts'
import styles from './FormPreview.module.css'
import { ownUndo } from './use-undo-keys.ts'

/** The form as visitors will see it, with their components. It can be tried out; nothing is sent. */
export function FormPreview({ event, form }: { event: Event; form: DraftForm }) {
  const asked = { phoneField: form.phoneField, questions: form.questions.map((draft) => asVisitorsSee(draft, event)) }
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
    <section className={`card ${styles.preview}`} aria-labelledby="preview">
      <h2 id="preview">As visitors see it</h2>
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
          questions={asked.questions}
        />
        <PersonFields
          filledInBy="visitor"
          questions={asked.questions}
          phoneField={asked.phoneField}
          timeZone={event.timeZone}
          values={undefined}
          answerTo={() => undefined}
          errors={fields.failure.errors}
        />
        <button type="submit" className="button wide" onMouseDown={(press) => press.preventDefault()}>
          Register
        </button>
        <p className={styles.note} role="status">
          {isTried
            ? 'Everything is filled in. This is a preview: nobody is registered.'
            : 'Try it out: nothing is sent.'}
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
    text: text.trim() || 'Your question',
    options: [...new Set(options.map((option) => option.trim()).filter((option) => option !== ''))],
    // Tells the fields apart; the key stays the same wherever the question moves.
    id: draft.key,
    eventId,
    position: 0,
    version: 1,
  }
}
