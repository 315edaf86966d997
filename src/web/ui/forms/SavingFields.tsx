import { type FocusEvent, type ReactNode, useEffect, useRef } from 'react'

interface Props {
  isSaving: boolean
  children: ReactNode
}

/** A form's fields, disabled while it is saved, because input in the meantime would be lost. The focus returns afterwards. */
export function SavingFields({ isSaving, children }: Props) {
  const box = useRef<HTMLFieldSetElement>(null)
  const last = useRef<HTMLElement | null>(null)
  useEffect(() => {
    if (isSaving || !last.current || document.activeElement !== document.body) return
    // An invalid field gets the focus first; it could not while it was disabled.
    const invalid = box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    const target = invalid ?? last.current
    target.focus()
  }, [isSaving])
  const note = ({ target }: FocusEvent<HTMLElement>) => {
    last.current = target
  }
  return (
    <fieldset ref={box} className="bare" disabled={isSaving} onFocus={note}>
      {children}
    </fieldset>
  )
}
