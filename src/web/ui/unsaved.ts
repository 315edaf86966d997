import { useSyncExternalStore } from 'react'

/** The forms on the page that hold something not saved yet. */
const forms = new Set<symbol>()
const listeners = new Set<() => void>()

/** Notes that a form holds unsaved work, until the function answered is called. */
export function holdUnsaved(): () => void {
  const form = Symbol('form')
  forms.add(form)
  tell()
  return () => {
    forms.delete(form)
    tell()
  }
}

/** Whether anything on the page would be lost with it. */
export function hasUnsaved(): boolean {
  return forms.size > 0
}

/** The same, followed. */
export function useHasUnsaved(): boolean {
  return useSyncExternalStore(subscribe, hasUnsaved)
}

function tell(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
