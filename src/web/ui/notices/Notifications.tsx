import * as texts from '../../../texts/generated/common.ts'
import './Notifications.css'
import { useEffect, useRef, useState } from 'react'
import { closeNotice, type Notice, useNotices } from './notify.ts'

const SHOWN_MS = { success: 5_000, info: 8_000, error: 12_000 }

/** The notices at the bottom left, read out by screen readers. */
export function Notifications() {
  const notices = useNotices()
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (notices.length === 0 || !box.current) return
    raise(box.current)
    uncover(box.current)
  }, [notices])
  return (
    <section ref={box} className="notices" popover="manual" aria-label={texts.notifications()} aria-live="polite">
      {notices.map((notice) => (
        <NoticeBox key={notice.id} notice={notice} />
      ))}
    </section>
  )
}

/** Raises it above native modal dialogs too: the last element opened as a popover is on top. Older browsers show it without that. */
function raise(box: HTMLElement): void {
  if (!('showPopover' in box)) return
  if (box.matches(':popover-open')) box.hidePopover()
  box.showPopover()
}

/** On a phone the notices take the whole width, so a form's button that they cover is scrolled out from under them. */
function uncover(box: HTMLElement): void {
  const { top, width } = box.getBoundingClientRect()
  if (width < window.innerWidth - 40) return
  for (const button of document.querySelectorAll('[type=submit]')) {
    const { bottom } = button.getBoundingClientRect()
    if (bottom > top && bottom < window.innerHeight + 40) {
      const scroller = button.closest('.mantine-Drawer-content, .mantine-Modal-content') ?? window
      scroller.scrollBy(0, bottom - top + 8)
    }
  }
}

/** A notice that disappears by itself, but not while it is hovered or focused. */
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
      <button type="button" onClick={() => closeNotice(id)} aria-label={texts.close()}>
        ×
      </button>
    </div>
  )
}
