import { createContext, use } from 'react'

/** Whether a dialog is open below: what is in a dialog or panel sets it. */
export const IsNested = createContext(false)

/** The backdrop of a dialog; paler above another one, because both together would be nearly black. */
export function useBackdrop() {
  return use(IsNested) ? { backgroundOpacity: 0.2 } : {}
}
