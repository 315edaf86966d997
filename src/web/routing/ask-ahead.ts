import type { Params } from 'react-router'
import type { Endpoint, Input } from '../../contract/endpoint.ts'
import { query } from '../api/query.ts'
import { queryClient } from '../api/query-client.ts'
import type { SessionUser } from '../session/session.ts'

/** The facts known about a page before its code has loaded. */
export interface Opened {
  params: Params
  search: URLSearchParams
  user: SessionUser
}

/** Starts a query. If it fails, the page shows why. */
export function ask<E extends Endpoint>(endpoint: E, input: Input<E>): void {
  queryClient.ensureQueryData(query(endpoint, input)).catch(() => {})
}
