import * as texts from '../../../texts/generated/registration.ts'
import { Field } from '../../ui/forms/Field.tsx'

export interface MemberFieldProps {
  name: string
  /** Whether the chosen ticket is for members; otherwise the field is hidden, but not without JavaScript. */
  isAsked: boolean
  drafted: string | undefined
  error: string | undefined
}

/** Where somebody who chose a ticket for members says who they are. */
export function MemberField({ name, isAsked, drafted, error }: MemberFieldProps) {
  return (
    <div className={isAsked ? undefined : 'not-asked'}>
      <Field
        label={texts.member()}
        name={name}
        autoComplete="off"
        required={isAsked}
        help={texts.memberHelp()}
        defaultValue={drafted}
        error={error}
      />
    </div>
  )
}
