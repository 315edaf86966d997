import { useEffect } from 'react'
import type { FallbackProps } from 'react-error-boundary'
import { Refusal } from '../../contract/errors.ts'
import { paths } from '../paths.ts'
import { keepNotice } from '../ui/notices/notify.ts'

/** Shown when a page's data or code could not be loaded: leads to not-found, or gives the reason and another try. */
export function Problem({ error, resetErrorBoundary }: FallbackProps) {
  const isLost = isMissing(error)
  useEffect(() => {
    if (!isLost) return
    // The notice stays on the screen there.
    keepNotice()
    window.location.replace(paths.notFound())
  }, [isLost])
  if (isLost) return null
  return (
    <div className="page narrow">
      <h1>That did not work</h1>
      <p role="alert">{wordsOf(error)}</p>
      {/* A part of the page that failed to load comes only with a reload. */}
      <button
        type="button"
        className="button"
        onClick={error instanceof Refusal ? resetErrorBoundary : () => window.location.reload()}
      >
        Try again
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
  // A part that did not load is a TypeError everywhere but in Firefox and Safari, where nothing tells it from our mistakes.
  return 'This page could not be shown. Please check your connection and try again.'
}
