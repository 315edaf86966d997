import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { Problem } from './Problem.tsx'

/** Shows a page's error inside the router. */
export function ErrorPage() {
  const error = useRouteError()
  const { reset } = useQueryErrorResetBoundary()
  // If the version stored on this device is too old for the server, every attempt would fail until it is updated.
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
