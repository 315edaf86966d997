import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { Problem } from './Problem.tsx'

/** The router's way to show a problem. */
export function ErrorPage() {
  const error = useRouteError()
  const { reset } = useQueryErrorResetBoundary()
  // A version kept on this device that is too old for the server would fail at each try.
  useEffect(
    () => void import('../offline/keep-offline.ts').then(({ updateStored }) => updateStored()).catch(() => {}),
    [],
  )
  const again = () => {
    reset()
    window.location.reload()
  }
  return <Problem error={error} resetErrorBoundary={again} />
}
