import { useEffect, useEffectEvent } from 'react'
import type { Steps } from './steps.ts'

/** While the panel is open, the arrow keys, Home and End open others of the list; not in a field, a menu or a dialog above. */
export function useStepKeys(steps: Steps, onOpen: (id: number) => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const id = idFor(event.key, steps)
    if (id === undefined || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
    if (isElsewhere(event.target)) return
    event.preventDefault()
    onOpen(id)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

function idFor(key: string, { before, after, first, last }: Steps): number | undefined {
  if (key === 'ArrowUp') return before
  if (key === 'ArrowDown') return after
  if (key === 'Home') return first
  return key === 'End' ? last : undefined
}

function isElsewhere(target: EventTarget | null): boolean {
  if (target instanceof Element && target.matches('input, textarea, select, [contenteditable]')) return true
  return document.querySelector('[role=menu]') !== null || document.querySelectorAll('[role=dialog]').length !== 1
}
