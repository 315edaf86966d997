import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import * as texts from '../../texts/generated/search.ts'
import type { Entry, Group } from './entries.ts'
import styles from './Palette.module.css'

interface Props {
  typed: string
  groups: readonly Group[]
  isSearching: boolean
  /** Added to “nothing found”. */
  hint: string
  /** Whether the attendees of an event are searched too. */
  findsPeople: boolean
  failures: readonly { text: string; retry: () => void }[]
  onType: (typed: string) => void
  onChoose: (entry: Entry) => void
  onClose: () => void
}

/** The field with its list (WAI-ARIA combobox): the focus stays in the field, and the arrow keys move through the list. */
export function PaletteField(props: Props) {
  const { typed, groups, isSearching, hint, findsPeople, failures, onType, onChoose, onClose } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [key, setKey] = useState<string | null>(null)
  const entries = groups.flatMap((group) => group.entries)
  const at = Math.max(
    0,
    entries.findIndex((entry) => entry.key === key),
  )
  const current = entries[at]
  const idOf = (entry: Entry) => `${id}-${entry.key}`
  const currentId = current && idOf(current)
  useEffect(() => {
    if (currentId !== undefined) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' })
  }, [currentId])
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that opens late takes the focus to its content.
  useEffect(() => input.current?.focus(), [pathname])
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.key === 'Enter') {
      event.preventDefault()
      if (current) onChoose(current)
      return
    }
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (next === undefined || entries.length === 0) return
    event.preventDefault()
    setKey(entries.at(next % entries.length)?.key ?? null)
  }
  return (
    <>
      <div className={styles.field}>
        <IconSearch size={22} stroke={1.75} aria-hidden />
        <input
          ref={input}
          role="combobox"
          aria-label={texts.searchHint()}
          aria-expanded={entries.length > 0}
          aria-controls={id}
          aria-activedescendant={currentId}
          aria-autocomplete="list"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={(findsPeople ? texts.eventsPeopleActions : texts.eventsActions)()}
          value={typed}
          onChange={({ target }) => {
            setKey(null)
            onType(target.value)
          }}
          onKeyDown={press}
          data-autofocus
        />
        <button type="button" className="button small subtle" onClick={onClose}>
          {texts.close()}
        </button>
      </div>
      <section
        className={styles.results}
        aria-label={texts.found()}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so that the keyboard must reach it.
        tabIndex={0}
        // The focus stays in the field, where typing and the arrow keys work.
        onMouseDown={(press) => press.preventDefault()}
      >
        {entries.length > 0 && (
          <div role="listbox" id={id} className={styles.list} aria-label={texts.results()}>
            {groups.map((group) => (
              // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped by this role.
              <div key={group.title} role="group" className={styles.group} aria-label={group.title}>
                <p className={styles.title} aria-hidden>
                  {group.title}
                </p>
                {group.entries.map((entry) => (
                  <Option
                    key={entry.key}
                    id={idOf(entry)}
                    entry={entry}
                    isCurrent={entry === current}
                    onPoint={() => setKey(entry.key)}
                    onChoose={() => onChoose(entry)}
                  />
                ))}
              </div>
            ))}
          </div>
        )}
        {failures.map(({ text, retry }) => (
          <div key={text} className={`row spread ${styles.failure}`} role="alert">
            <span>{text}</span>
            <button
              type="button"
              className="button small light"
              onClick={() => {
                // The button goes, and with it the focus.
                input.current?.focus()
                retry()
              }}
            >
              {texts.tryAgain()}
            </button>
          </div>
        ))}
      </section>
      <div className={styles.foot}>
        {/* Always in the page, so that screen readers announce its changes. */}
        <p role="status">
          {countWords({ count: entries.length, typed: typed.trim(), isSearching, isFailed: failures.length > 0, hint })}
        </p>
        <p className={styles.keys} aria-hidden>
          {texts.keysHint()}
        </p>
      </div>
    </>
  )
}

interface Counted {
  count: number
  typed: string
  isSearching: boolean
  isFailed: boolean
  hint: string
}

function countWords({ count, typed, isSearching, isFailed, hint }: Counted): string {
  if (isSearching) return texts.searching()
  if (count > 0) return typed === '' ? texts.suggestions({ count }) : texts.resultCount({ count })
  return isFailed ? '' : `${texts.nothingFound({ typed })} ${hint}`
}

interface OptionProps {
  id: string
  entry: Entry
  isCurrent: boolean
  onPoint: () => void
  onChoose: () => void
}

function Option({ id, entry: { label, note, Icon }, isCurrent, onPoint, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field, which keeps the focus.
    // biome-ignore lint/a11y/useFocusableInteractive: as above; the field says which option is the current one.
    <div
      role="option"
      id={id}
      aria-selected={isCurrent}
      className={styles.option}
      // Not on entering: a list that moves under a resting pointer chooses nothing.
      onPointerMove={() => isCurrent || onPoint()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon size={20} stroke={1.75} aria-hidden />
      <span className={styles.text}>
        <span className={styles.label}>{label}</span>
        {note && <span className={styles.note}>{note}</span>}
      </span>
    </div>
  )
}
