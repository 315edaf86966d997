import { useRef, useState } from 'react'
import { moved } from '../forms/draft-questions.ts'

/**
 * What an event sells in an order that staff change, shown at once. One save runs at a time, each with the latest order; `save` stores it
 * and has read what there is then.
 */
export function useOrder<T extends { id: number }>(
  offers: readonly T[],
  save: (ids: readonly number[]) => Promise<unknown>,
) {
  const [wanted, setWanted] = useState<readonly number[] | null>(null)
  const latest = useRef<readonly number[] | null>(null)
  const isSaving = useRef(false)
  const place = (id: number) => wanted?.indexOf(id) ?? 0
  const ordered = wanted ? [...offers].sort((a, b) => place(a.id) - place(b.id)) : offers

  async function saveLatest(): Promise<void> {
    isSaving.current = true
    try {
      for (let saved: readonly number[] | null = null; saved !== latest.current; ) {
        saved = latest.current
        if (saved) await save(saved)
      }
    } finally {
      isSaving.current = false
      latest.current = null
      setWanted(null)
    }
  }
  /** Moves one up (-1) or down (1) from its latest place, because a second tap may come before the first is rendered. */
  function move(id: number, step: -1 | 1): void {
    const ids = latest.current ?? ordered.map((each) => each.id)
    const from = ids.indexOf(id)
    if (from + step < 0 || from + step >= ids.length) return
    latest.current = moved(ids, from, from + step)
    setWanted(latest.current)
    // A refusal has been shown by the call itself.
    if (!isSaving.current) void saveLatest().catch(() => {})
  }
  return { ordered, move }
}
