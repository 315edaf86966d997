import { useEffect, useState } from 'react'

const open: symbol[] = []

/** A close function that works only for the topmost dialog: one Escape closes one dialog. */
export function useTopmost(isOpen: boolean, onClose: () => void): () => void {
  const [key] = useState(() => Symbol('dialog'))
  useEffect(() => {
    if (!isOpen) return
    // Deferred until after the key press that opened it; otherwise the same Escape would close it at once.
    const timer = setTimeout(() => open.push(key))
    return () => {
      clearTimeout(timer)
      // Deferred until after the key press that closed it; otherwise the same Escape would close the dialog below too.
      setTimeout(() => {
        if (open.includes(key)) open.splice(open.indexOf(key), 1)
      })
    }
  }, [isOpen, key])
  return () => {
    if (open.at(-1) === key) onClose()
  }
}
