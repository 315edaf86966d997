import type { PhoneField } from '../../contract/phone-field.ts'
import * as texts from '../../texts/generated/formBuilder.ts'
import { Segments } from '../ui/forms/Segments.tsx'
import styles from './FixedFields.module.css'

const choices = [
  { value: 'required', label: texts.required },
  { value: 'optional', label: texts.optional },
  { value: 'off', label: texts.notAsked },
] as const

interface Props {
  phoneField: PhoneField
  onChange: (phoneField: PhoneField) => void
}

/** The fields that every form has, and whether it asks for a phone number. */
export function FixedFields({ phoneField, onChange }: Props) {
  return (
    <dl className={styles.fixed}>
      <div>
        <dt>{texts.name()}</dt>
        <dd>{texts.alwaysRequired()}</dd>
      </div>
      <div>
        <dt>{texts.eMail()}</dt>
        <dd>{texts.emailRequired()}</dd>
      </div>
      <div>
        <dt>{texts.phone()}</dt>
        <dd className={styles.choice}>
          <Segments
            label={texts.askForPhone()}
            options={choices.map(({ value, label }) => ({ value, label: label() }))}
            value={phoneField}
            onChange={onChange}
          />
        </dd>
      </div>
    </dl>
  )
}
