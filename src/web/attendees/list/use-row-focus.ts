import type { Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'

const fields = ['button', 'input'] as const

/** The arrow keys, Home and End move the focus from name to name, or from box to box, whether the row is in the page or not. */
export function useRowFocus(
  list: RefObject<HTMLElement | null>,
  virtual: Pick<Virtualizer<Window, Element>, 'scrollToIndex'>,
  count: number,
): (event: KeyboardEvent) => void {
  const wanted = useRef<{ index: number; field: (typeof fields)[number] } | null>(null)
  const take = () => {
    if (!wanted.current) return
    const { index, field } = wanted.current
    const found = list.current?.querySelector<HTMLElement>(`[data-index="${index}"] ${field}`)
    if (!found) return
    wanted.current = null
    found.focus()
  }
  // A row that is far away is in the page only after the list has scrolled to it.
  useEffect(take)
  return (event) => {
    if (!(event.target instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return
    const { target } = event
    const row = target.closest<HTMLElement>('[data-index]')
    const field = fields.find((each) => target.matches(each))
    if (!row || !field) return
    const index = nextIndex(event.key, Number(row.dataset.index), count)
    if (index === null) return
    event.preventDefault()
    wanted.current = { index, field }
    virtual.scrollToIndex(index, { align: 'auto' })
    take()
  }
}

function nextIndex(key: string, at: number, count: number): number | null {
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1)
  if (key === 'ArrowUp') return Math.max(at - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
