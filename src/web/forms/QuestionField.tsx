import { useId } from 'react'
import { type AnswerValue, type FormQuestion, typeOf } from '../../contract/forms.ts'
import * as texts from '../../texts/generated/registration.ts'
import { Field } from '../ui/forms/Field.tsx'
import { describedBy, FieldNotes } from '../ui/forms/FieldNotes.tsx'
import { fieldPlace } from '../ui/forms/field-place.ts'

/** A question as it is shown. */
export type ShownQuestion = FormQuestion & {
  /** What its options are called; answers name them as they are in the club's main language. */
  labels?: readonly { text: string; lang: string | undefined }[]
  /** The language of its text, where it is not that of the page. */
  lang?: string | undefined
  /** The names of the tickets that it is asked for; empty or left out for all. */
  onlyFor?: readonly string[]
}

interface Props {
  question: Pick<ShownQuestion, 'typeId' | 'text' | 'required' | 'options' | 'labels' | 'lang' | 'onlyFor'>
  /** The inputs' name in the form. */
  name: string
  /** The earlier answer. */
  answer?: AnswerValue | undefined
  error: string | undefined
}

/** One question as a visitor sees it. Labels mark the optional ones, because most are required. */
export function QuestionField({ question, name, answer, error }: Props) {
  const label = question.required ? question.text : texts.optional({ label: question.text })
  const help = question.onlyFor?.length ? texts.onlyFor({ tickets: question.onlyFor.join(', ') }) : undefined
  const props = {
    ...{ label, name, help, error, lang: question.lang, required: question.required },
    defaultValue: typeof answer === 'string' ? answer : undefined,
  }
  switch (typeOf(question)) {
    case 'Short answer':
      return <Field {...props} />
    case 'Paragraph':
      return <Field {...props} rows={4} />
    case 'Dropdown':
      return (
        <Field {...props}>
          <option value="">{texts.choose()}</option>
          {question.options.map((option, at) => (
            <option key={option} value={option} lang={question.labels?.[at]?.lang}>
              {question.labels?.[at]?.text ?? option}
            </option>
          ))}
        </Field>
      )
    default:
      return <Choices question={question} label={label} help={help} name={name} answer={answer} error={error} />
  }
}

function Choices({ question, label, help, name, answer, error }: Props & { label: string; help: string | undefined }) {
  const id = useId()
  const isMany = typeOf(question) === 'Checkboxes'
  const chosen = Array.isArray(answer) ? answer : [answer]
  return (
    <fieldset className="field" id={fieldPlace(name)} aria-describedby={describedBy(id, help, error)}>
      <legend lang={question.lang}>{label}</legend>
      {question.options.map((option, at) => (
        <label className="choice" key={option}>
          <input
            type={isMany ? 'checkbox' : 'radio'}
            name={name}
            value={option}
            defaultChecked={chosen.includes(option)}
            aria-invalid={error !== undefined}
          />
          <span lang={question.labels?.[at]?.lang}>{question.labels?.[at]?.text ?? option}</span>
        </label>
      ))}
      <FieldNotes id={id} help={help} error={error} />
    </fieldset>
  )
}
