import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import * as texts from '../../../texts/generated/common.ts'
import { QrCode } from './QrCode.tsx'
import styles from './ZoomableCode.module.css'

/** A code that fills the screen when tapped, for scanners that cannot read it well. */
export function ZoomableCode({ text, label, caption }: { text: string; label: string; caption: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [wasOpen, setWasOpen] = useState(false)
  const open = () => {
    flushSync(() => setWasOpen(true))
    dialog.current?.showModal()
    // Not every browser supports or allows full screen; the dialog fills the page in any case.
    void dialog.current?.requestFullscreen?.().catch(() => {})
  }
  const close = () => {
    if (document.fullscreenElement) void document.exitFullscreen()
    dialog.current?.close()
  }
  return (
    <>
      <button type="button" className={styles.zoom} onClick={open} aria-label={texts.zoom({ label })}>
        <QrCode text={text} label={label} />
      </button>
      {wasOpen && (
        <dialog ref={dialog} className={styles.fullCode} aria-label={label}>
          <button type="button" className={styles.zoom} onClick={close} aria-label={texts.backToThePage()}>
            <QrCode text={text} label={label} />
            <span className="code">{caption}</span>
            <span className="muted">{texts.tapToGoBack()}</span>
          </button>
        </dialog>
      )}
    </>
  )
}
