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
  /** Staff need only the name, without autofill of their own data. A ticket holder cannot change the e-mail address. */
  filledInBy: 'visitor' | 'holder' | 'staff'
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
export function PersonFields({ filledInBy, questions, asked = questions, ...props }: Props) {
  const { phoneField, event, values = {}, answerTo, errors } = props
  const isStaff = filledInBy === 'staff'
  const label = (text: string, isRequired: boolean) => (isRequired ? text : texts.optional({ label: text }))
  return (
    <>
      <Field
        label={texts.name()}
        name="name"
        autoComplete={isStaff ? 'off' : 'name'}
        required
        defaultValue={values.name}
        error={errors.name}
        data-autofocus={isStaff || undefined}
      />
      {filledInBy !== 'holder' && (
        <Field
          label={label(texts.email(), !isStaff)}
          name="email"
          type="email"
          inputMode="email"
          autoComplete={isStaff ? 'off' : 'email'}
          required={!isStaff}
          help={isStaff ? texts.ticketSentThere() : texts.ticketSentToYou()}
          defaultValue={values.email}
          error={errors.email}
        />
      )}
      {phoneField !== 'off' && (
        <PhoneField
          label={label(texts.phone(), phoneField === 'required')}
          name="phone"
          required={phoneField === 'required'}
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
            name={questionName(question)}
            answer={answerTo(question)}
            error={errors[questionName(question)]}
          />
        </div>
      ))}
    </>
  )
}
