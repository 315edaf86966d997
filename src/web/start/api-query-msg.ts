import { deviceStore } from '../storage.ts'
import { notify } from '../ui/notices/notify.ts'

const KEY = 'apiQueryMsg'
/** A link can carry any text, so it is shown as plain text and not longer than this. */
const LONGEST = 200

/**
 * Moves `?apiQueryMsg=` into local storage and reloads without it (then returns true), or shows the message stored earlier,
 * once.
 */
export function takeApiQueryMsg(): boolean {
  const url = new URL(window.location.href)
  const message = url.searchParams.get(KEY)
  if (message !== null) {
    url.searchParams.delete(KEY)
    if (deviceStore.write(KEY, message.slice(0, LONGEST))) {
      window.location.replace(url)
      return true
    }
    // A message that would not survive the reload is shown without one.
    window.history.replaceState(null, '', url)
  }
  const stored = deviceStore.read(KEY)
  if (stored !== null) {
    deviceStore.remove(KEY)
    if (stored.trim() !== '') notify('info', stored.slice(0, LONGEST))
  }
  return false
}
