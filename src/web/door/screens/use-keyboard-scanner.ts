import { useEffect, useRef } from 'react'

/** The longest pause between two keys of a scanner that acts as a keyboard, in ms. */
const LONGEST_PAUSE_MS = 300
/** Fewer keys than this count as typed by hand. */
const SHORTEST_CODE = 6

/** Listens for USB and Bluetooth scanners anywhere on the page: many quick keys, then Enter. Input into a field is left alone. */
export function useKeyboardScanner(onCode: (text: string) => void): void {
  const latest = useRef(onCode)
  latest.current = onCode
  useEffect(() => {
    let text = ''
    let last = 0
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
      if (event.timeStamp - last > LONGEST_PAUSE_MS) text = ''
      if (event.key === 'Enter' && text.length >= SHORTEST_CODE) {
        // Otherwise it would also press the button that has the focus.
        event.preventDefault()
        event.stopPropagation()
        latest.current(text)
        text = ''
      } else if (event.key.length === 1) {
        if (text !== '') event.preventDefault()
        text += event.key
        last = event.timeStamp
      }
    }
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [])
}

function isField(target: EventTarget | null): boolean {
  // Checkboxes and sliders accept no text.
  const fields = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, [contenteditable]'
  return target instanceof HTMLElement && target.closest(fields) !== null
}
