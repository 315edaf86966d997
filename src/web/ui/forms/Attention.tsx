import * as texts from '../../../texts/generated/controls.ts'

/** The message above a form with the number of invalid fields; renders nothing if all are valid. */
export function Attention({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <p className="problem" role="alert">
      <strong>{texts.fieldsWrong({ count })}</strong>
    </p>
  )
}
