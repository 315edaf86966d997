import { useId, useState } from 'react'
import * as texts from '../../../texts/generated/common.ts'
import { describedBy, FieldNotes } from './FieldNotes.tsx'
import styles from './PasswordField.module.css'

interface Props {
  label: string
  help?: string
  error: string | undefined
  autoComplete: 'current-password' | 'new-password'
}

/** A field for a password, named `password`, which can be made visible. */
export function PasswordField({ label, help, error, autoComplete }: Props) {
  const id = useId()
  const [isShown, setShown] = useState(false)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={styles.password}>
        <input
          id={id}
          name="password"
          type={isShown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          aria-required
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, help, error)}
        />
        <button type="button" aria-label={texts.showTyped()} aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          <span className={`icon ${isShown ? 'eye-off' : 'eye'}`} aria-hidden="true" />
        </button>
      </div>
      <FieldNotes id={id} help={help} error={error} />
    </div>
  )
}
