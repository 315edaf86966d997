import type { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/statistics.ts'
import { Problem } from './Problem.tsx'

interface Props {
  error: Refusal
  onRetry: () => void
  isRetrying: boolean
}

/** Says why the figures are missing, and reads them again. */
export function LoadFailed({ error, onRetry, isRetrying }: Props) {
  if (error.code === 'NOT_FOUND') return <Problem error={error} resetErrorBoundary={onRetry} />
  return (
    <div className="problem" role="alert">
      <p>{texts.notLoaded({ problem: error.message })}</p>
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
