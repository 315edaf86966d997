import { createStore, useStore } from '../../api/store.ts'

/** How many forms on the page hold something not saved yet. */
const forms = createStore(0)

/** Notes that a form holds unsaved work, until the returned function is called, once. */
export function holdUnsaved(): () => void {
  forms.set(forms.get() + 1)
  return () => forms.set(forms.get() - 1)
}

/** Whether anything on the page would be lost with it. */
export function hasUnsaved(): boolean {
  return forms.get() > 0
}

/** The same, followed. */
export function useHasUnsaved(): boolean {
  return useStore(forms) > 0
}
