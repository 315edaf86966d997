import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './SaveButton.module.css'
import { SAVE_STATE } from './StickyBar.tsx'

interface Props {
  /** Whether there is nothing to save: the button looks at rest, and still answers. */
  isIdle: boolean
  isSaving: boolean
  /** Called in place of submitting the form that it is in. */
  onClick?: () => void
  children: ReactNode
}

/** The button that saves, at the end of a `StickyBar`. */
export function SaveButton({ isIdle, isSaving, onClick, children }: Props) {
  return (
    <Button
      type={onClick ? 'button' : 'submit'}
      variant={isIdle ? 'default' : 'filled'}
      className={isIdle ? styles.idle : undefined}
      aria-describedby={SAVE_STATE}
      loading={isSaving}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
