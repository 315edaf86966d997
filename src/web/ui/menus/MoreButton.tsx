import { IconDots } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import * as texts from '../../../texts/generated/moreButton.ts'
import styles from './MoreButton.module.css'

interface Props extends Omit<ComponentProps<'button'>, 'type' | 'className' | 'children'> {
  /** What the menu's entries apply to, for screen readers; not needed if the page has only one such button. */
  of?: string
  /** Whether phones show only the icon, because other buttons are in the same row. */
  isCompact?: boolean
  /** Whether it is called "Actions", on a page whose navigation has a "More" of its own. */
  isOfPage?: boolean
}

/** The button that opens a menu of further actions. It takes the props of a menu's target. */
export function MoreButton({ of, isCompact = false, isOfPage = false, ...props }: Props) {
  return (
    <button
      {...props}
      type="button"
      className={`button small subtle ${styles.more}`}
      data-compact={isCompact || undefined}
      aria-label={
        of === undefined ? undefined : isOfPage ? texts.actionsFor({ name: of }) : texts.moreFor({ name: of })
      }
    >
      <IconDots size={20} stroke={1.75} aria-hidden />
      <span className={styles.text}>{isOfPage ? texts.actions() : texts.more()}</span>
    </button>
  )
}
