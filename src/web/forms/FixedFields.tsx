import type { PhoneField } from '../../contract/phone-field.ts'
import { Segments } from '../ui/forms/Segments.tsx'
import styles from './FixedFields.module.css'

const choices = [
  { value: 'required', label: 'Required' },
  { value: 'optional', label: 'Optional' },
  { value: 'off', label: 'Not asked' },
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
        <dt>Name</dt>
        <dd>Always required</dd>
      </div>
      <div>
        <dt>E-mail</dt>
        <dd>Always required: the ticket is sent there</dd>
      </div>
      <div>
        <dt>Phone</dt>
        <dd className={styles.choice}>
          <Segments label="Ask for a phone number" options={choices} value={phoneField} onChange={onChange} />
        </dd>
      </div>
    </dl>
  )
}
