import type { MouseEvent, Ref } from 'react'
import type { FormQuestion } from '../../contract/forms.ts'
import * as texts from '../../texts/generated/registration.ts'
import type { Message } from '../../texts/language.ts'
import { fieldPlace } from '../ui/forms/field-place.ts'
import { questionName } from './registration-values.ts'
import { CODE, companionPrefix, MEMBER, TICKET_TYPE } from './typed.ts'
import type { Failure } from './use-field-errors.ts'

interface Props {
  ref: Ref<HTMLDivElement>
  failure: Failure
  isShown: boolean
  /** Those asked of the first person. */
  asked: readonly FormQuestion[]
  /** Those of the form, which companions may be asked. */
  questions: readonly FormQuestion[]
  /** The companions in the form, by their numbers in the names of its fields. */
  people: readonly number[]
}

const labels: Readonly<Record<string, Message>> = {
  [TICKET_TYPE]: texts.ticketType,
  [MEMBER]: texts.member,
  name: texts.name,
  email: texts.email,
  phone: texts.phone,
  [CODE]: texts.code,
}

/** The errors in the form's order, so that the remaining lines keep their order as others disappear; each links to its field. */
export function FailureSummary({ ref, failure: { errors, messages }, isShown, asked, questions, people }: Props) {
  const own = [...Object.keys(labels), ...asked.map(questionName)].filter((name) => errors[name] !== undefined)
  const ofPeople = people
    .map(companionPrefix)
    .map((prefix) => Object.keys(errors).filter((name) => name.startsWith(prefix)))
  const names = [...own, ...ofPeople.flat()]
  if (!isShown || names.length + messages.length === 0) return null
  const textOf = (name: string): string => {
    const at = ofPeople.findIndex((own) => own.includes(name))
    const field = at < 0 ? name : name.slice(companionPrefix(people[at] ?? 0).length)
    const label = labels[field]?.() ?? questions.find((each) => questionName(each) === field)?.text ?? ''
    const message = errors[name] ?? ''
    if (at < 0) return lineOf(label, message)
    // Those of companions name the person, whose place changes when another one is removed.
    return texts.problemOf({ place: at + 2, problem: field in labels ? message : lineOf(label, message) })
  }
  return (
    <div className="problem" role="alert" ref={ref} tabIndex={-1}>
      {names.length > 0 && (
        <p>
          <strong>{texts.fieldsWrong({ count: names.length })}</strong>
        </p>
      )}
      <ul>
        {messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
        {names.map((name) => (
          <li key={name}>
            {/* Without JavaScript the link jumps to the field. */}
            <a className="link" href={`#${fieldPlace(name)}`} onClick={(click) => goTo(click, name)}>
              {textOf(name)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Some messages do not name their field; then the line does. */
function lineOf(label: string, message: string): string {
  if (message.toLowerCase().includes(label.toLowerCase())) return message
  // A question that ends with punctuation needs no colon.
  return /[?!:.]$/.test(label) ? `${label} ${message}` : texts.withLabel({ label, message })
}

/** Focuses the field of a line of the summary. */
function goTo(click: MouseEvent, name: string): void {
  click.preventDefault()
  const field = `[data-name="${name}"], [name="${name}"]:not([type="hidden"], :disabled)`
  click.currentTarget.closest('form')?.querySelector<HTMLElement>(field)?.focus()
}
