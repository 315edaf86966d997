import { type ReactNode, useId } from 'react'

interface Props {
  label: string
  name: string
  help?: string
  error?: string | undefined
  defaultValue?: string | undefined
  required?: boolean
  type?: 'text' | 'email' | 'tel'
  inputMode?: 'email' | 'tel'
  autoComplete?: string
  /** Several lines. */
  rows?: number
  /** Options to choose from. */
  children?: ReactNode
}

/** A labelled field of a public form: label above, help below, the error named to screen readers. */
export function Field({ label, help, error, rows, children, ...props }: Props) {
  const id = useId()
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  const { required, ...rest } = props
  const common = {
    ...rest,
    id,
    'aria-required': required,
    'aria-invalid': error !== undefined,
    'aria-describedby': described || undefined,
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children ? (
        <select {...common}>{children}</select>
      ) : rows ? (
        <textarea rows={rows} {...common} />
      ) : (
        <input {...common} />
      )}
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
