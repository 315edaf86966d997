import { Stack } from '@mantine/core'
import type { ReactNode, RefObject } from 'react'
import styles from './FoldedCard.module.css'

interface Props {
  heading: string
  /** What is in there, in a few words. */
  about: string
  /** To open it where something in it is wrong. */
  fold: RefObject<HTMLDetailsElement | null>
  children: ReactNode
}

/** A card of a form with what is seldom needed: it opens on demand. */
export function FoldedCard({ heading, about, fold, children }: Props) {
  return (
    <details ref={fold} className={`card ${styles.fold}`}>
      <summary className="folds">
        <h2>{heading}</h2>
        <span className="muted small">{about}</span>
      </summary>
      <Stack>{children}</Stack>
    </details>
  )
}
