import { useEffect, useRef } from 'react'

const field = 'input:not([type=hidden]), select, textarea'

/**
 * Takes the focus to what has appeared above a form, so that it is seen and read at once; when it goes and takes the focus with it, the
 * form's first field has it.
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
