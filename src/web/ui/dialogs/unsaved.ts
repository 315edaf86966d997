import { createStore, useStore } from '../../api/store.ts'

/** The number of forms on the page with unsaved input. */
const forms = createStore(0)

/** Notes that a form has unsaved work until the returned function is called, once. */
export function holdUnsaved(): () => void {
  forms.set(forms.get() + 1)
  return () => forms.set(forms.get() - 1)
}

/** Whether the page has unsaved work. */
export function hasUnsaved(): boolean {
  return forms.get() > 0
}

/** The same as a hook, which renders again when it changes. */
export function useHasUnsaved(): boolean {
  return useStore(forms) > 0
}
