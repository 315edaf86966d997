import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouteError } from 'react-router'
import { Problem } from './Problem.tsx'

/** The router's way to show a problem. */
export function ErrorPage() {
  const error = useRouteError()
  const { reset } = useQueryErrorResetBoundary()
  const again = () => {
    reset()
    window.location.reload()
  }
  return <Problem error={error} resetErrorBoundary={again} />
}
