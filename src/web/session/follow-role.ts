import type { QueryClient } from '@tanstack/react-query'
import { Refusal } from '../../contract/errors.ts'
import { refreshSession } from './load-session.ts'

/** Reads the signed-in user again whenever something is not allowed: their role may have been changed. Returns the way to stop. */
export function followRole(client: QueryClient): () => void {
  const check = (error: unknown) => {
    if (error instanceof Refusal && error.code === 'NOT_ALLOWED') void refreshSession().catch(() => {})
  }
  const stopReads = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') check(event.action.error)
  })
  const stopWrites = client.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') check(event.action.error)
  })
  return () => {
    stopReads()
    stopWrites()
  }
}
