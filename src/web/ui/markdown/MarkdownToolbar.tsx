import { IconBold, IconHeading, IconItalic, IconLink, IconList, IconListNumbers } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import * as texts from '../../../texts/generated/controls.ts'
import { ariaKeysOf, keysOf, shortcuts } from '../../shortcuts/shortcuts.ts'
import type { Format } from './edit-text.ts'
import styles from './MarkdownField.module.css'

const buttons = [
  { format: 'bold', name: texts.bold, Icon: IconBold, shortcut: shortcuts.bold },
  { format: 'italic', name: texts.italic, Icon: IconItalic, shortcut: shortcuts.italic },
  { format: 'heading', name: texts.heading, Icon: IconHeading, shortcut: null },
  { format: 'list', name: texts.list, Icon: IconList, shortcut: null },
  { format: 'numbers', name: texts.numberedList, Icon: IconListNumbers, shortcut: null },
  { format: 'link', name: texts.link, Icon: IconLink, shortcut: shortcuts.link },
] as const satisfies readonly { format: Format; [key: string]: unknown }[]

interface Props {
  /** The id of the text field. */
  controls: string
  onFormat: (format: Format) => void
}

/** The buttons above a text: one stop of the Tab key, within which the arrow keys move. */
export function MarkdownToolbar({ controls, onFormat }: Props) {
  const [current, setCurrent] = useState(0)
  const bar = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const last = buttons.length - 1
    const next = {
      ArrowRight: current === last ? 0 : current + 1,
      ArrowLeft: current === 0 ? last : current - 1,
      Home: 0,
      End: last,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    bar.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={texts.formatting()}
      aria-controls={controls}
      className={styles.tools}
      onKeyDown={move}
    >
      {buttons.map(({ format, name, Icon, shortcut }, index) => (
        <button
          key={format}
          type="button"
          aria-label={name()}
          aria-keyshortcuts={shortcut ? ariaKeysOf(shortcut) : undefined}
          title={shortcut ? texts.withKeys({ name: name(), keys: keysOf(shortcut).join(' ') }) : name()}
          tabIndex={index === current ? 0 : -1}
          onFocus={() => setCurrent(index)}
          // The text keeps the focus and what is selected in it.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onFormat(format)}
        >
          <Icon size={20} stroke={1.75} aria-hidden />
        </button>
      ))}
    </div>
  )
}
