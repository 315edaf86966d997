import { useEffect } from 'react'
import type { FallbackProps } from 'react-error-boundary'
import { Refusal } from '../../contract/errors.ts'
import { paths } from '../paths.ts'

/** What a page shows when its data did not come: the way to not-found, or the reason and another try. */
export function Problem({ error, resetErrorBoundary }: FallbackProps) {
  const isMissing = error instanceof Refusal && (error.status === 404 || error.status === 422)
  useEffect(() => {
    if (isMissing) window.location.replace(paths.notFound())
  }, [isMissing])
  if (isMissing) return null
  return (
    <div className="page narrow">
      <h1>That did not work</h1>
      <p role="alert">{error instanceof Refusal ? error.message : 'This page could not be shown.'}</p>
      {/* A part of the page that did not load stays so until the page is loaded anew. */}
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
