import type { ReactNode } from 'react'
import * as texts from '../../../texts/generated/controls.ts'
import styles from './StickyBar.module.css'

interface Props {
  /** What is saved, in a few words. */
  state: string
  /** More about it. */
  message?: string
  /** Whether it is in view wherever the form is scrolled to: there is something to save. */
  isFloating: boolean
  /** Whether the buttons have a row of their own on phones. */
  isTall?: boolean
  children: ReactNode
}

/** The id of the words that say what is saved, to describe the button that saves. */
export const SAVE_STATE = 'save-state'

/** The save state and the buttons at the end of a long form. It sticks within its parent, which must not have `overflow`. */
export function StickyBar({ state, message = '', isFloating, isTall = false, children }: Props) {
  return (
    <section
      className={styles.bar}
      data-floating={isFloating || undefined}
      data-tall={isTall || undefined}
      aria-label={texts.save()}
    >
      <p className={styles.state} role="status">
        <strong id={SAVE_STATE}>{state}</strong>
        <span>{message}</span>
      </p>
      {children}
    </section>
  )
}
