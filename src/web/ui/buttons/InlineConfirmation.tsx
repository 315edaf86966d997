import { takeFocus } from './take-focus.ts'

interface Props {
  question: string
  /** The button that changes nothing. */
  no: string
  yes: string
  isSending: boolean
  onNo: () => void
  onYes: () => void
}

/**
 * Asks before something that cannot be undone, in the place of the button that began it. "No" comes first and has the focus, so that a second
 * tap by mistake changes nothing.
 */
export function InlineConfirmation({ question, no, yes, isSending, onNo, onYes }: Props) {
  return (
    <fieldset className="plain">
      <legend>{question}</legend>
      <p className="row">
        <button
          type="button"
          className="button quiet"
          ref={takeFocus}
          aria-disabled={isSending}
          onClick={() => !isSending && onNo()}
        >
          {no}
        </button>
        <button type="button" className="button final" aria-disabled={isSending} onClick={() => !isSending && onYes()}>
          {yes}
        </button>
      </p>
    </fieldset>
  )
}
