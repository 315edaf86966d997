import { Tabs, Textarea } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import * as texts from '../../../texts/generated/controls.ts'
import { shortcutAt } from '../../shortcuts/shortcuts.ts'
import { applyEdit } from './apply-edit.ts'
import { type Format, formatText } from './edit-text.ts'
import styles from './MarkdownField.module.css'
import { MarkdownPreview } from './MarkdownPreview.tsx'
import { MarkdownToolbar } from './MarkdownToolbar.tsx'

interface Props {
  label: string
  minRows: number
  error: string | undefined
  field: UseFormRegisterReturn
}

/** A text that visitors will see formatted: written in Markdown with a toolbar, and shown as they will see it on request. */
export function MarkdownField({ label, minRows, error, field }: Props) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const ref = useMergedRef(area, field.ref)
  /** The text that is shown as a preview; null while it is written. */
  const [shown, setShown] = useState<string | null>(null)
  const [seen, setSeen] = useState(error)
  const isHiddenError = error !== undefined && error !== seen && shown !== null
  if (error !== seen) setSeen(error)
  if (isHiddenError) setShown(null)
  useEffect(() => {
    // The form could not move the focus there, because the field was hidden.
    if (error !== undefined && document.activeElement === document.body) area.current?.focus()
  }, [error])
  const format = (kind: Format) => {
    if (!area.current) return
    const { value: text, selectionStart: start, selectionEnd: end } = area.current
    applyEdit(area.current, formatText({ text, start, end }, kind))
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const name = shortcutAt('text', event.nativeEvent)
    if (name === null) return
    // Otherwise the same keys would also open the search.
    event.preventDefault()
    format(name)
  }
  return (
    <Textarea
      id={id}
      label={label}
      autosize
      minRows={minRows}
      error={error}
      {...field}
      ref={ref}
      onKeyDown={press}
      inputContainer={(input) => (
        <Tabs
          value={shown === null ? 'write' : 'preview'}
          onChange={(next) => setShown(next === 'preview' ? (area.current?.value ?? '') : null)}
          variant="none"
          // Mounted and no more than hidden: what was typed, and what can be undone, are the field's own.
          keepMounted
          keepMountedMode="display-none"
        >
          <div className={styles.bar}>
            <Tabs.List className={styles.tabs} aria-label={texts.writeOrPreview()}>
              <Tabs.Tab value="write" className={styles.tab}>
                {texts.write()}
              </Tabs.Tab>
              <Tabs.Tab value="preview" className={styles.tab}>
                {texts.preview()}
              </Tabs.Tab>
            </Tabs.List>
            {shown === null && <MarkdownToolbar controls={id} onFormat={format} />}
          </div>
          <Tabs.Panel value="write">{input}</Tabs.Panel>
          <Tabs.Panel value="preview" className={styles.preview} tabIndex={0}>
            {shown !== null && <MarkdownPreview text={shown} />}
          </Tabs.Panel>
        </Tabs>
      )}
    />
  )
}
