import { type ReactNode, type RefObject, useRef } from 'react'
import { useOpenedBefore } from '../../../ui/use-opened-before.ts'

interface Props {
  /** A link to `#id` opens it too. */
  id: string
  title: string
  isOpen: boolean
  /** Hidden rather than left out, so that a link to it does not open it a second time. */
  isHidden?: boolean
  onToggle: (isOpen: boolean) => void
  summary?: RefObject<HTMLElement | null>
  children: ReactNode
}

/** One of the changes that holders can make to their ticket: a line that opens to its form. */
export function TicketFold({ id, title, isOpen, isHidden = false, onToggle, summary, children }: Props) {
  const details = useRef<HTMLDetailsElement>(null)
  useOpenedBefore(details, () => onToggle(true))
  return (
    <details
      ref={details}
      id={id}
      className="card fold needs-script"
      open={isOpen}
      hidden={isHidden}
      onToggle={({ currentTarget }) => {
        // Also reports a change by React itself, which is no news.
        if (currentTarget.open !== isOpen) onToggle(currentTarget.open)
      }}
    >
      <summary ref={summary}>
        {title}
        <span className="icon chevron-right" aria-hidden="true" />
      </summary>
      {children}
    </details>
  )
}
