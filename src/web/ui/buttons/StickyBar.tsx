import type { ReactNode } from 'react'
import styles from './StickyBar.module.css'

/** The buttons of a long form, in view wherever the form is scrolled to. It sticks within its parent, which has no `overflow`. */
export function StickyBar({ children }: { children: ReactNode }) {
  return (
    <section className={styles.bar} aria-label="Save">
      {children}
    </section>
  )
}
