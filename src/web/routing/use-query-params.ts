import { useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

/** What a change sets in the query of the address; undefined and empty text remove. */
export type QueryChange<Name extends string> = Partial<Record<Name, string | number | undefined>>

/**
 * The query of the address, and a function that changes parts of it. Each change builds on the one before, also while that
 * is under way: react-router's own setter builds on the last render, and of two quick changes it would lose the first.
 */
export function useQueryParams<Name extends string>() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const underWay = useRef<URLSearchParams>(null)
  const change = async (next: QueryChange<Name>, options: { replace?: boolean } = {}) => {
    const query = changedQuery(underWay.current ?? new URLSearchParams(window.location.search), next)
    underWay.current = query
    try {
      await navigate(`?${query}`, options)
    } finally {
      if (underWay.current === query) underWay.current = null
    }
  }
  return { params, change }
}

/** A copy of the query with the change applied. */
export function changedQuery<Name extends string>(before: URLSearchParams, next: QueryChange<Name>): URLSearchParams {
  const after = new URLSearchParams(before)
  for (const [name, value] of Object.entries<string | number | undefined>(next)) {
    if (value === undefined || value === '') after.delete(name)
    else after.set(name, String(value))
  }
  return after
}
