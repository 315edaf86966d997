import { type ComponentProps, useId } from 'react'

type Props = ComponentProps<'input'> & {
  label: string
  help?: string
  error?: string | undefined
}

/** A labelled input for the public pages: label above, help below, the error named to screen readers. */
export function Field({ label, help, error, ...input }: Props) {
  const id = useId()
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} aria-invalid={error !== undefined} aria-describedby={described || undefined} {...input} />
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
