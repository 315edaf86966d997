import { useEffect, useState, useSyncExternalStore } from 'react'
import { keepOffline } from '../../offline/keep-offline.ts'
import { type Door, type DoorView, openDoor, subscribe } from './door.ts'
import { keepFresh } from './sync.ts'
import { lockTab } from './tab-lock.ts'

export interface OpenedDoor {
  /** Null while it opens. */
  door: Door | null
  /** Another tab has this event's door. */
  isElsewhere: boolean
  /** Whether page and decoder are on this phone, so that it opens without network. */
  isKept: boolean
  /** Brings the door to this tab. */
  bringHere: () => void
}

/** Opens an event's door and keeps it fresh while the page is there. */
export function useDoor(eventId: number): OpenedDoor {
  const [door, setDoor] = useState<Door | null>(null)
  const [isElsewhere, setElsewhere] = useState(false)
  const [isKept, setKept] = useState(false)
  const [isStolen, setStolen] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const lost = () => {
      stop.abort()
      setDoor(null)
      setElsewhere(true)
      setStolen(false)
    }
    const open = async () => {
      if (!(await lockTab(eventId, stop.signal, lost, isStolen))) return
      const opened = await openDoor(eventId)
      if (stop.signal.aborted) return
      setElsewhere(false)
      setDoor(opened)
      await keepFresh(opened, stop.signal)
    }
    void open()
    return () => stop.abort()
  }, [eventId, isStolen])
  useEffect(() => {
    const stop = new AbortController()
    void keepForDoor(setKept, stop.signal)
    // Asked so that the browser does not make room by throwing away what waits to be sent. It may say no.
    void navigator.storage?.persist?.().catch(() => false)
    return () => stop.abort()
  }, [])
  return { door, isElsewhere, isKept, bringHere: () => setStolen(true) }
}

/** Between two tries to keep the page on this phone, in ms: at first, and at most. */
const KEEP_AGAIN_MS = 5_000
const KEEP_AGAIN_MOST_MS = 2 * 60_000

/** On a weak network it may take several tries until all is on this phone: also one whenever the network is back. */
async function keepForDoor(tell: (isKept: boolean) => void, signal: AbortSignal): Promise<void> {
  for (let wait = KEEP_AGAIN_MS; !signal.aborted; wait = Math.min(2 * wait, KEEP_AGAIN_MOST_MS)) {
    const isKept = await keepOffline('door')
    tell(isKept)
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

/** What the page shows of the door, as it changes. */
export function useDoorView(door: Door): DoorView {
  return useSyncExternalStore(
    (listener) => subscribe(door, listener),
    () => door.view,
  )
}
