import { useEffect } from 'react'
import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/common.ts'
import * as paths from '../paths.ts'
import type { FallbackProps } from '../ui/ErrorBoundary.tsx'
import { keepNotice } from '../ui/notices/notify.ts'

/** Shown when a page's data or code could not be loaded: redirects to not-found, or gives the reason and a way to try again. */
export function Problem({ error, resetErrorBoundary }: FallbackProps) {
  const isLost = isMissing(error)
  useEffect(() => {
    if (!isLost) return
    // Shows the notice on that page too.
    keepNotice()
    window.location.replace(paths.notFound())
  }, [isLost])
  if (isLost) return null
  return (
    <div className="page narrow">
      <h1>{texts.thatDidNotWork()}</h1>
      <p role="alert">{wordsOf(error)}</p>
      {/* Code that failed to load is fetched again only by reloading the page. */}
      <button
        type="button"
        className="button"
        onClick={error instanceof Refusal ? resetErrorBoundary : () => window.location.reload()}
      >
        {texts.tryAgain()}
      </button>
    </div>
  )
}

/** Whether the page's object does not exist. */
function isMissing(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'NOT_FOUND'
}

function wordsOf(error: unknown): string {
  if (error instanceof Refusal) return error.message
  // Code that failed to load is a TypeError, but in Firefox and Safari it cannot be told from our own bugs.
  return texts.pageNotShown()
}
