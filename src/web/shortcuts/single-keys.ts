import { createEmitter, useStore } from '../api/store.ts'
import { deviceStore } from '../storage.ts'

const KEY = 'singleKeys'
const changes = createEmitter()

/** Whether shortcuts of one key work in this browser. Voice control may press keys by accident, so they can be switched off (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  return deviceStore.read(KEY) !== 'off'
}

/** Switches shortcuts of one key on or off, for all tabs. */
export function setSingleKeys(isOn: boolean): void {
  if (isOn) deviceStore.remove(KEY)
  else deviceStore.write(KEY, 'off')
  changes.emit()
}

/** The same as a hook. */
export function useSingleKeys(): boolean {
  return useStore({ subscribe: changes.subscribe, get: hasSingleKeys, initial: true })
}
