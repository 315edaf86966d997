import type { Event } from '../../contract/event.ts'
import type { AnswerValue, FormQuestion } from '../../contract/forms.ts'
import type { PhoneField as PhoneRule } from '../../contract/phone-field.ts'
import type { RegistrationData } from '../../contract/registrations.ts'
import * as texts from '../../texts/generated/registration.ts'
import { QuestionField, type ShownQuestion } from '../forms/QuestionField.tsx'
import { Field } from '../ui/forms/Field.tsx'
import { PhoneField } from '../ui/forms/PhoneField.tsx'
import { type FieldErrors, questionName } from './registration-values.ts'

interface Props {
  /**
   * For somebody else, only the name is needed, without autofill of one's own data; whoever gets a ticket from its former holder also needs an
   * address. A ticket holder cannot change the e-mail address.
   */
  filledInBy: 'visitor' | 'holder' | 'former holder' | 'companion' | 'staff'
  /** What the names of the fields begin with. */
  prefix?: string
  questions: readonly ShownQuestion[]
  /** Those that are asked for the chosen ticket; the others are hidden, but not without JavaScript. Left out: all. */
  asked?: readonly Pick<ShownQuestion, 'id'>[]
  /** Whether a phone number is asked for. */
  phoneField: PhoneRule
  event: Pick<Event, 'timeZone'> & Partial<Pick<Event, 'dialCode'>>
  /** The values filled in earlier. */
  values: Partial<Pick<RegistrationData, 'name' | 'email' | 'phone'>> | undefined
  answerTo: (question: FormQuestion) => AnswerValue | undefined
  errors: FieldErrors
}

/** The fields of every registration form: name, e-mail, phone and the answers to the event's questions. */
export function PersonFields({ filledInBy, prefix = '', questions, asked = questions, ...props }: Props) {
  const { phoneField, event, values = {}, answerTo, errors } = props
  const isStaff = filledInBy === 'staff'
  const isNew = filledInBy === 'former holder'
  const isOther = isStaff || isNew || filledInBy === 'companion'
  const needsAddress = !isOther || isNew
  const label = (text: string, isRequired: boolean) => (isRequired ? text : texts.optional({ label: text }))
  return (
    <>
      <Field
        label={texts.name()}
        name={`${prefix}name`}
        autoComplete={isOther ? 'off' : 'name'}
        required
        defaultValue={values.name}
        error={errors[`${prefix}name`]}
        data-autofocus={isStaff || undefined}
      />
      {filledInBy !== 'holder' && (
        <Field
          label={label(texts.email(), needsAddress)}
          name={`${prefix}email`}
          type="email"
          inputMode="email"
          autoComplete={isOther ? 'off' : 'email'}
          required={needsAddress}
          help={isStaff || isNew ? texts.ticketSentThere() : isOther ? texts.ticketOfOther() : texts.ticketSentToYou()}
          defaultValue={values.email}
          error={errors[`${prefix}email`]}
        />
      )}
      {phoneField !== 'off' && (
        <PhoneField
          label={label(texts.phone(), phoneField === 'required')}
          name="phone"
          required={phoneField === 'required'}
          autoComplete={isOther ? 'off' : 'tel'}
          timeZone={event.timeZone}
          dialCode={event.dialCode ?? ''}
          defaultValue={values.phone}
          error={errors.phone}
        />
      )}
      {questions.map((question) => (
        <div key={question.id} className={asked.some(({ id }) => id === question.id) ? undefined : 'not-asked'}>
          <QuestionField
            question={question}
            name={prefix + questionName(question)}
            answer={answerTo(question)}
            error={errors[prefix + questionName(question)]}
          />
        </div>
      ))}
    </>
  )
}
