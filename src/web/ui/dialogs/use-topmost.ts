import { useLayoutEffect, useState } from 'react'

/** The open dialogs, in the order in which they opened. */
const open: symbol[] = []
/** The latest event that a dialog has acted on. */
let handled: Event | undefined

/** A close function that works only for the topmost dialog, and once for each event: one Escape closes one dialog. */
export function useTopmost(isOpen: boolean, onClose: () => void): () => void {
  const [key] = useState(() => Symbol('dialog'))
  // Before the dialog can be seen, so that its first key or click already counts.
  useLayoutEffect(() => {
    if (!isOpen) return
    open.push(key)
    return () => {
      open.splice(open.indexOf(key), 1)
    }
  }, [isOpen, key])
  return () => {
    // The same Escape reaches the dialog below one that it has closed, and one that it has opened.
    const { event } = window
    if (open.at(-1) !== key || (event !== undefined && event === handled)) return
    handled = event
    onClose()
  }
}
