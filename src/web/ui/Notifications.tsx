import { useEffect, useState, useSyncExternalStore } from 'react'
import { closeNotice, type Notice, readNotices, subscribeNotices } from './notify.ts'

const SHOWN_MS = { success: 5_000, info: 8_000, error: 12_000 }

/** The notices at the bottom left, read out by screen readers. */
export function Notifications() {
  const notices = useSyncExternalStore(subscribeNotices, readNotices)
  return (
    <section className="notices" aria-label="Notifications" aria-live="polite">
      {notices.map((notice) => (
        <NoticeBox key={notice.id} notice={notice} />
      ))}
    </section>
  )
}

/** Goes by itself, but not while somebody points at it or has the keyboard in it. */
function NoticeBox({ notice: { id, kind, text } }: { notice: Notice }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => closeNotice(id), SHOWN_MS[kind])
    return () => clearTimeout(timer)
  }, [held, id, kind])
  const hold = { onFocus: () => setHeld(true), onBlur: () => setHeld(false) }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing only keeps it longer; there is nothing to operate.
    <div className={`notice ${kind}`} onMouseEnter={() => setHeld(true)} onMouseLeave={() => setHeld(false)} {...hold}>
      <p>{text}</p>
      <button type="button" onClick={() => closeNotice(id)} aria-label="Close">
        ×
      </button>
    </div>
  )
}
