import { notify } from './ui/notify.ts'

const KEY = 'apiQueryMsg'
/** A link can carry any text, so it is shown as plain text and not longer than this. */
const LONGEST = 200

/**
 * Moves `?apiQueryMsg=` into local storage and reloads without it (then answers true), or shows the message stored before,
 * once.
 */
export function takeApiQueryMsg(): boolean {
  const url = new URL(window.location.href)
  const message = url.searchParams.get(KEY)
  if (message !== null) {
    localStorage.setItem(KEY, message.slice(0, LONGEST))
    url.searchParams.delete(KEY)
    window.location.replace(url)
    return true
  }
  const stored = localStorage.getItem(KEY)
  if (stored !== null) {
    localStorage.removeItem(KEY)
    if (stored.trim() !== '') notify('info', stored.slice(0, LONGEST))
  }
  return false
}
