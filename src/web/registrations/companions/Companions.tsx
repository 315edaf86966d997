import { useEffect, useRef, useState } from 'react'
import type { Event } from '../../../contract/event.ts'
import { type FormQuestion, questionsFor } from '../../../contract/forms.ts'
import { priceOf, type TicketType } from '../../../contract/ticket-type.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/registration.ts'
import { Field } from '../../ui/forms/Field.tsx'
import { MemberField } from '../member/MemberField.tsx'
import { PersonFields } from '../PersonFields.tsx'
import { draftAnswer, type FieldErrors } from '../registration-values.ts'
import { whyNotToBeHad, withTickets } from '../ticket-type/chosen-type.ts'
import { companionPrefix, type Draft, MEMBER, TICKET_TYPE } from '../typed.ts'
import styles from './Companions.module.css'

// Loaded together, so that sending the form needs nothing more.
export { companionErrors, readCompanions } from './companion-values.ts'

export interface CompanionsProps {
  /** Their numbers in the names of the fields. */
  people: readonly number[]
  /** The one just added, which takes the focus. */
  added: number | null
  event: Event
  questions: readonly FormQuestion[]
  /** Those on sale, in their order. */
  ticketTypes: readonly TicketType[]
  /** That of whoever fills in the form, with which the others begin. */
  ticketType: TicketType | undefined
  now: Date
  draft: Draft
  errors: FieldErrors
  onRemove: (person: number) => void
  /** Called with the id of the ticket that a person has, when that changes. */
  onChoice: (person: number, id: number | undefined) => void
  /** Called when another ticket is chosen by hand. */
  onNewChoice: () => void
}

/** The people who are registered together with whoever fills in the form. */
export default function Companions({ people, added, onRemove, ...props }: CompanionsProps) {
  return people.map((person, at) => (
    <Companion
      key={person}
      {...props}
      person={person}
      number={at + 2}
      isNew={person === added}
      onRemove={() => onRemove(person)}
    />
  ))
}

interface CompanionProps extends Omit<CompanionsProps, 'people' | 'added' | 'onRemove'> {
  person: number
  /** As it is shown: whoever fills in the form is the first. */
  number: number
  isNew: boolean
  onRemove: () => void
}

function Companion({ person, number, isNew, onRemove, ...props }: CompanionProps) {
  const { event, questions, ticketTypes, ticketType, now, draft, errors, onChoice, onNewChoice } = props
  const prefix = companionPrefix(person)
  const [typeId, setTypeId] = useState(draft[prefix + TICKET_TYPE]?.[0] ?? String(ticketType?.id ?? ''))
  const fieldset = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (isNew) fieldset.current?.querySelector<HTMLElement>('input, select')?.focus()
  }, [isNew])
  const value = (name: string) => draft[prefix + name]?.[0] ?? ''
  const toBeHad = ticketTypes.filter((type) => whyNotToBeHad(type, now) === null)
  // Where the chosen one is gone, none takes its place, because its price may differ.
  const chosen = ticketTypes.length === 1 ? ticketTypes[0] : toBeHad.find(({ id }) => String(id) === typeId)
  const isPriced = ticketTypes.some((type) => type.price > 0)
  useEffect(() => onChoice(person, chosen?.id), [onChoice, person, chosen?.id])
  return (
    <fieldset ref={fieldset} className={styles.person}>
      <legend>{texts.person({ place: number })}</legend>
      <button type="button" className={`link ${styles.remove}`} onClick={onRemove}>
        {texts.removePerson({ place: number })}
      </button>
      {ticketTypes.length > 1 && (
        <Field
          label={texts.ticketType()}
          name={prefix + TICKET_TYPE}
          value={String(chosen?.id ?? '')}
          help={chosen?.description || undefined}
          error={errors[prefix + TICKET_TYPE]}
          onChange={(id) => {
            setTypeId(id)
            onNewChoice()
          }}
        >
          {!chosen && <option value="">{texts.chooseOne()}</option>}
          {toBeHad.map((type) => (
            <option key={type.id} value={type.id}>
              {isPriced ? `${type.name} · ${formatPrice(priceOf(type), event.currency)}` : type.name}
            </option>
          ))}
        </Field>
      )}
      {ticketTypes.some(({ access }) => access === 'member') && (
        <MemberField
          name={prefix + MEMBER}
          isAsked={chosen?.access === 'member'}
          drafted={draft[prefix + MEMBER]?.[0]}
          error={errors[prefix + MEMBER]}
        />
      )}
      <PersonFields
        filledInBy="companion"
        prefix={prefix}
        questions={withTickets(questionsFor(questions, null, true), ticketTypes)}
        asked={questionsFor(questions, chosen?.id, true)}
        phoneField="off"
        event={event}
        values={{ name: value('name'), email: value('email') }}
        answerTo={(question) => draftAnswer(draft, question, prefix)}
        errors={errors}
      />
    </fieldset>
  )
}
