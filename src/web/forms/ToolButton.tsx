import type { Icon } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import styles from './ToolButton.module.css'

interface Props extends Omit<ComponentProps<'button'>, 'disabled' | 'children'> {
  /** What it does. */
  label: string
  Icon: Icon
  /** Shows the label beside the icon where there is room. */
  hasWords?: boolean
  /** Does nothing now. It keeps the focus, which a disabled button would lose. */
  isIdle?: boolean
}

/** A quiet button with an icon. */
export function ToolButton({ label, Icon, hasWords = false, isIdle = false, onClick, ...props }: Props) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={label}
      aria-disabled={isIdle}
      title={label}
      onClick={isIdle ? undefined : onClick}
      {...props}
    >
      <Icon size={20} stroke={1.75} aria-hidden />
      {hasWords && <span className={styles.words}>{label}</span>}
    </button>
  )
}
