import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { Navigate, useRevalidator, useRouteError } from 'react-router'
import { Refusal } from '../../contract/errors.ts'
import { paths } from '../paths.ts'

/** What a page shows when its data did not come: the way to not-found, or the reason and another try. */
export function ErrorPage() {
  const error = useRouteError()
  const { reset } = useQueryErrorResetBoundary()
  const { revalidate } = useRevalidator()
  if (error instanceof Refusal && error.status === 404) return <Navigate to={paths.notFound()} replace />
  const sentence = error instanceof Refusal ? error.message : 'This page could not be shown.'
  const again = () => {
    reset()
    void revalidate()
    window.location.reload()
  }
  return (
    <div className="page narrow">
      <h1>That did not work</h1>
      <p role="alert">{sentence}</p>
      <button type="button" className="button" onClick={again}>
        Try again
      </button>
    </div>
  )
}
