import { QuestionField } from '../forms/QuestionField.tsx'
import { Field } from '../ui/forms/Field.tsx'
import type { DraftQuestion } from './draft-questions.ts'
import styles from './FormBuilderPage.module.css'

/** The form as a visitor will see it. It can be tried out; nothing is sent. */
export function FormPreview({ drafts }: { drafts: readonly DraftQuestion[] }) {
  return (
    <section className={`card ${styles.previewForm}`} aria-labelledby="preview">
      <h2 id="preview">As visitors see it</h2>
      <Field label="Name" name="preview-name" autoComplete="off" />
      <Field label="E-mail" name="preview-email" autoComplete="off" help="Your ticket is sent to this address." />
      <Field label="Phone" name="preview-phone" autoComplete="off" />
      {drafts.map(({ key, text, options, ...question }) => (
        <QuestionField
          key={key}
          name={`preview-${key}`}
          question={{
            ...question,
            text: text || 'Your question',
            options: [...new Set(options.filter((option) => option !== ''))],
          }}
          error={undefined}
        />
      ))}
    </section>
  )
}
