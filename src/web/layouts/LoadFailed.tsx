import type { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/common.ts'
import { Problem } from './Problem.tsx'

interface Props {
  error: Refusal
  onRetry: () => void
  isRetrying: boolean
}

/** Says why a part of a page is missing, and reads it again. */
export function LoadFailed({ error, onRetry, isRetrying }: Props) {
  if (error.code === 'NOT_FOUND') return <Problem error={error} resetErrorBoundary={onRetry} />
  return (
    <div className="problem" role="alert">
      <p>{texts.partNotLoaded({ problem: error.message })}</p>
      <p>
        <button
          type="button"
          className="button small"
          aria-disabled={isRetrying}
          onClick={() => {
            if (!isRetrying) onRetry()
          }}
        >
          {texts.tryAgain()}
        </button>
      </p>
    </div>
  )
}
