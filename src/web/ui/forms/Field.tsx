import { type ReactNode, useId } from 'react'
import { describedBy, FieldNotes } from './FieldNotes.tsx'
import { fieldPlace } from './field-place.ts'

interface Props {
  label: string
  /** The language of the label, where it is not that of the page. */
  lang?: string | undefined
  name: string
  help?: string | undefined
  error?: string | undefined
  defaultValue?: string | undefined
  /** The current value, of a field whose value others depend on. */
  value?: string
  onChange?: (value: string) => void
  required?: boolean
  type?: 'text' | 'email' | 'tel' | 'search'
  inputMode?: 'email' | 'tel'
  autoComplete?: string
  /** The number of lines, for a multi-line field. */
  rows?: number
  /** Options to choose from. */
  children?: ReactNode
}

/** A labelled field of a public form: label above, help and error below, both announced by screen readers. */
export function Field({ label, lang, help, error, rows, onChange, children, ...props }: Props) {
  const id = useId()
  const { required, ...rest } = props
  const common = {
    ...rest,
    id,
    'aria-required': required,
    'aria-invalid': error !== undefined,
    'aria-describedby': describedBy(id, help, error),
  }
  return (
    <div className="field" id={fieldPlace(props.name)}>
      <label htmlFor={id} lang={lang}>
        {label}
      </label>
      {children ? (
        <select {...common} onChange={onChange && (({ target }) => onChange(target.value))}>
          {children}
        </select>
      ) : rows ? (
        <textarea rows={rows} {...common} />
      ) : (
        <input {...common} />
      )}
      <FieldNotes id={id} help={help} error={error} />
    </div>
  )
}
