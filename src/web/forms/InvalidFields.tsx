import type { FieldError } from '../../contract/errors.ts'
import { plural } from '../ui/plural.ts'
import { fieldId } from './draft-questions.ts'
import styles from './FormBuilderPage.module.css'

/** The number of invalid fields in the form being built, with a link to each. */
export function InvalidFields({ errors }: { errors: readonly FieldError[] }) {
  if (errors.length === 0) return null
  // A field with two errors counts once, with the first of them.
  const fields = errors.filter(({ path }, index) => errors.findIndex((each) => each.path === path) === index)
  return (
    <div className="problem" role="alert">
      {plural(fields.length, 'field needs', 'fields need')} your attention:
      <ul className={styles.invalidFields}>
        {fields.map(({ path, msg }) => (
          <li key={path}>
            <a
              href={`#${fieldId(path)}`}
              onClick={(event) => {
                // Only moves the focus: a change of the address would count as leaving the page.
                event.preventDefault()
                document.getElementById(fieldId(path))?.focus()
              }}
            >
              {nameOf(path)}
            </a>
            : {msg}
          </li>
        ))}
      </ul>
    </div>
  )
}

function nameOf(path: string): string {
  const [, question, option] = /^formQuestions\.(\d+)(?:\.options\.(\d+))?/.exec(path) ?? []
  if (question === undefined) return 'Questions'
  return `Question ${Number(question) + 1}${option === undefined ? '' : `, option ${Number(option) + 1}`}`
}
