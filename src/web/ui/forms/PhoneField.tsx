import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import * as texts from '../../../texts/generated/common.ts'
import { useIsRunning } from '../use-is-running.ts'
import { describedBy, FieldNotes } from './FieldNotes.tsx'
import { fieldPlace } from './field-place.ts'
import styles from './PhoneField.module.css'
import type { PhoneTools } from './phone-tools.ts'

interface Props {
  label: string
  name: string
  /** A number without a country code is read as one of this zone's country. */
  timeZone: string
  /** The calling code shown until the countries are loaded; empty if it is not known. */
  dialCode?: string
  defaultValue?: string | undefined
  error?: string | undefined
  help?: string
  required?: boolean
  /** Off for the number of somebody else. */
  autoComplete?: 'tel' | 'off'
  /** Called with the number in E.164, or as typed while it cannot be read. */
  onChange?: (phone: string) => void
}

/**
 * A phone number with its country in front. The countries are loaded when the form is first focused, so that the page does not
 * wait for them. The form's value is that of the hidden input: E.164 if the number can be parsed.
 */
export function PhoneField({
  label,
  name,
  timeZone,
  dialCode: firstDialCode = '',
  defaultValue = '',
  error,
  help,
  required = true,
  autoComplete = 'tel',
  onChange,
}: Props) {
  const id = useId()
  // Without JavaScript the visible field is the one that is sent.
  const isRunning = useIsRunning()
  const [tools, setTools] = useState<PhoneTools | null>(null)
  const [number, setNumber] = useState(defaultValue)
  const [chosen, setChosen] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  // Input during hydration is only in the field; the next render would remove it.
  useLayoutEffect(() => setNumber((known) => field.current?.value ?? known), [])
  useEffect(() => {
    const form = field.current?.form
    let isGone = false
    const listen = () => !isGone && form?.addEventListener('focusin', load, { once: true })
    // If the countries cannot be loaded, the next focus tries again; until then the number is taken as typed.
    const load = () => void import('./phone-tools.ts').then(({ phoneTools }) => setTools(phoneTools), listen)
    // An existing number is formatted at once; otherwise loading can wait until the form has the focus, possibly since before hydration.
    const isInUse = form?.contains(document.activeElement) ?? false
    if (defaultValue === '' && !isInUse) listen()
    else load()
    return () => {
      isGone = true
      form?.removeEventListener('focusin', load)
    }
  }, [defaultValue])

  const country = tools?.countryOf(number) ?? chosen ?? tools?.countryOfZone(timeZone) ?? ''
  const read = (text: string, from: string) => tools?.toE164(text, from) ?? text
  const change = (text: string, from: string) => {
    setNumber(text)
    onChange?.(read(text, from))
  }
  /** Formats the number as people write it, and reports its value. */
  const rewrite = () => {
    const written = tools?.asWritten(number, country)
    if (written && written !== number) change(written, country)
  }
  const rewriteTyped = useEffectEvent(() => {
    // A saved number without a country code stays until somebody edits it; otherwise the form would have unsaved changes at once.
    const isSaved = onChange !== undefined && number === defaultValue
    if (!isSaved || number.startsWith('+')) rewrite()
  })
  useEffect(() => {
    // Formats a number typed before the countries arrived, but does not interrupt somebody who is still typing.
    if (tools && field.current !== document.activeElement) rewriteTyped()
  }, [tools])
  const flag = tools?.flagUrl(country)
  // Without the area code that some islands have behind it.
  // A browser may not know which zones a country has.
  const dialCode = tools?.countries.find(({ code }) => code === country)?.dialCode.replace(/-.*/, '') ?? firstDialCode
  // A number with its country code shows it itself; at first as the server rendered it, without the stored draft.
  const isDialCodeShown = dialCode !== '' && !(isRunning && number.startsWith('+'))
  return (
    <div className="field" id={fieldPlace(name)}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.phone}>
        <span className={styles.country}>
          {flag && <img src={flag} alt="" width="24" height="16" />}
          {isDialCodeShown && <span aria-hidden="true">{dialCode}</span>}
          {!flag && !isDialCodeShown && (
            <span className={styles.none} aria-hidden="true">
              {texts.country()}
            </span>
          )}
          <select
            aria-label={texts.countryOf()}
            value={country}
            onChange={({ target }) => {
              setChosen(target.value)
              change(tools?.withoutCountry(number) ?? number, target.value)
            }}
          >
            {country === '' && <option value="">{texts.country()}</option>}
            {tools?.countries.map(({ code, name: countryName, dialCode }) => (
              <option key={code} value={code}>
                {countryName} {dialCode}
              </option>
            ))}
          </select>
        </span>
        <input
          id={id}
          ref={field}
          name={isRunning ? undefined : name}
          data-name={name}
          type="tel"
          inputMode="tel"
          autoComplete={autoComplete}
          value={number}
          aria-required={required}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, help, error)}
          onChange={({ target }) => change(target.value, country)}
          onBlur={rewrite}
        />
        {isRunning && <input type="hidden" name={name} value={read(number, country)} />}
      </div>
      <FieldNotes id={id} help={help} error={error} />
    </div>
  )
}
