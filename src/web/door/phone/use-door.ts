import { useEffect, useState, useSyncExternalStore } from 'react'
import { keepOffline } from '../../offline/keep-offline.ts'
import { keepOthers } from '../others/keep-others.ts'
import { keepWalkInForm } from '../walk-ins/keep-form.ts'
import { type Door, type DoorView, openDoor, subscribe } from './door.ts'
import { keepSynced } from './sync.ts'
import { lockTab } from './tab-lock.ts'

export interface OpenedDoor {
  /** Null while it opens. */
  door: Door | null
  /** Whether another tab has this event's door. */
  isElsewhere: boolean
  /** Whether the page and its decoder are stored on this phone, so that it opens without network. */
  opensOffline: boolean
  /** Takes the door over from the other tab. */
  takeOver: () => void
}

/** Opens an event's door and keeps it in sync while the page is open. */
export function useDoor(eventId: number): OpenedDoor {
  const [door, setDoor] = useState<Door | null>(null)
  const [isElsewhere, setElsewhere] = useState(false)
  const [opensOffline, setOpensOffline] = useState(false)
  const [isStolen, setStolen] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const onLost = () => {
      stop.abort()
      setDoor(null)
      setElsewhere(true)
      setStolen(false)
    }
    const open = async () => {
      if (!(await lockTab(eventId, stop.signal, onLost, isStolen))) return
      const opened = await openDoor(eventId)
      if (stop.signal.aborted) return
      setElsewhere(false)
      setDoor(opened)
      void keepOthers(opened, stop.signal)
      void keepWalkInForm(opened, stop.signal)
      await keepSynced(opened, stop.signal)
    }
    void open()
    return () => stop.abort()
  }, [eventId, isStolen])
  useEffect(() => {
    const stop = new AbortController()
    void keepPageOffline(setOpensOffline, stop.signal)
    // Asks the browser not to delete unsent scans to free space. It may refuse.
    void navigator.storage?.persist?.().catch(() => false)
    return () => stop.abort()
  }, [])
  return { door, isElsewhere, opensOffline, takeOver: () => setStolen(true) }
}

/** The pause between two attempts to store the page on this phone, in ms: the first, and the longest. */
const RETRY_MS = 5_000
const LONGEST_RETRY_MS = 2 * 60_000

/** Stores the page on this phone. On a weak network this may take several attempts; one follows whenever the network is back. */
async function keepPageOffline(onTried: (isKept: boolean) => void, signal: AbortSignal): Promise<void> {
  for (let wait = RETRY_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
    const isKept = await keepOffline('door')
    onTried(isKept)
    if (isKept) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait)
      const now = () => {
        clearTimeout(timer)
        resolve()
      }
      window.addEventListener('online', now, { once: true, signal })
      signal.addEventListener('abort', now)
    })
  }
}

/** The door's current view; renders again at each change. */
export function useDoorView(door: Door): DoorView {
  return useSyncExternalStore(
    (listener) => subscribe(door, listener),
    () => door.view,
  )
}
