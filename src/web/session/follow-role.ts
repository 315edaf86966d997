import type { QueryClient } from '@tanstack/react-query'
import { Refusal, type RefusalCode } from '../../contract/errors.ts'
import { refreshSession } from './load-session.ts'

/** Refusals after which the session may be out of date. */
const changed: ReadonlySet<RefusalCode> = new Set<RefusalCode>(['NOT_ALLOWED', 'SET_UP_SECOND_FACTOR'])

/**
 * Reads the signed-in user again whenever something is not allowed: their role may have been changed, or their club requires a second factor
 * now. Returns the way to stop.
 */
export function followRole(client: QueryClient): () => void {
  const check = (error: unknown) => {
    if (error instanceof Refusal && changed.has(error.code)) void refreshSession().catch(() => {})
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
