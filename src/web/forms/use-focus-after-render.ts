import { useEffect, useState } from 'react'

interface Wish {
  id: string
  /** Only if the element that has the focus disappears. */
  isFallback: boolean
}

/** Moves the focus to elements that the next render may only just create. */
export function useFocusAfterRender() {
  const [wish, setWish] = useState<Wish | null>(null)
  useEffect(() => {
    if (wish === null || (wish.isFallback && document.activeElement !== document.body)) return
    document.getElementById(wish.id)?.focus()
  }, [wish])
  return {
    on: (id: string) => setWish({ id, isFallback: false }),
    keep: (id: string) => setWish({ id, isFallback: true }),
  }
}
