import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { Navigate, useRouteError } from 'react-router'
import { paths } from '../paths.ts'
import { isMissing, Problem } from './Problem.tsx'

/** The router's way to show a problem. */
export function ErrorPage() {
  const error = useRouteError()
  const { reset } = useQueryErrorResetBoundary()
  // Within the app, so that what is being said stays on the screen.
  if (isMissing(error)) return <Navigate to={paths.notFound()} replace />
  const again = () => {
    reset()
    window.location.reload()
  }
  return <Problem error={error} resetErrorBoundary={again} />
}
