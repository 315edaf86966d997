import { useEffect, useState } from 'react'

const open: symbol[] = []

/** A way to close that works only while no other dialog is open above: one Escape closes one of them. */
export function useTopmost(isOpen: boolean, onClose: () => void): () => void {
  const [key] = useState(() => Symbol('dialog'))
  useEffect(() => {
    if (!isOpen) return
    // Not before the key press that opened it is over, or the same Escape would close it at once.
    const timer = setTimeout(() => open.push(key))
    return () => {
      clearTimeout(timer)
      if (open.includes(key)) open.splice(open.indexOf(key), 1)
    }
  }, [isOpen, key])
  return () => {
    if (open.at(-1) === key) onClose()
  }
}
