import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, useRouteError } from 'react-router'
import { paths } from '../paths.ts'
import { isMissing, Problem } from './Problem.tsx'

/** The router's way to show a problem. */
export function ErrorPage() {
  const error = useRouteError()
  const { reset } = useQueryErrorResetBoundary()
  // A version kept on this device that is too old for the server would fail at each try.
  useEffect(
    () => void import('../offline/keep-offline.ts').then(({ updateStored }) => updateStored()).catch(() => {}),
    [],
  )
  // Within the app, so that notices stay on the screen.
  if (isMissing(error)) return <Navigate to={paths.notFound()} replace />
  const again = () => {
    reset()
    window.location.reload()
  }
  return <Problem error={error} resetErrorBoundary={again} />
}
