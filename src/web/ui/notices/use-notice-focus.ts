import { useEffect, useRef } from 'react'

const field = 'input:not([type=hidden]), select, textarea'

/**
 * Moves the focus to a notice that has appeared above a form, so that it is seen and read at once. If the focus is lost when the notice
 * disappears, the form's first field gets it.
 */
export function useNoticeFocus<E extends HTMLElement>() {
  const notice = useRef<E>(null)
  useEffect(() => {
    const place = notice.current?.closest('[role=dialog], details, main')
    notice.current?.focus()
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) place?.querySelector<HTMLElement>(field)?.focus()
      })
    }
  }, [])
  return notice
}
