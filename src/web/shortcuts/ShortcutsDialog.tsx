import { Modal, Switch } from '@mantine/core'
import * as texts from '../../texts/generated/shortcuts.ts'
import type { Message } from '../../texts/language.ts'
import { Kit } from '../layouts/Kit.tsx'
import { useTopmost } from '../ui/dialogs/use-topmost.ts'
import { Keys } from './Keys.tsx'
import styles from './ShortcutsDialog.module.css'
import { type ShortcutName, shortcutNames, shortcuts } from './shortcuts.ts'
import { setSingleKeys, useSingleKeys } from './single-keys.ts'

const places = [
  { place: 'page', title: texts.everyPage },
  { place: 'text', title: texts.inText },
] as const

const inLists = [
  { keys: [() => '↑', () => '↓'], label: texts.step },
  { keys: [texts.home, texts.end], label: texts.ends },
] as const

const labels: Readonly<Record<ShortcutName, Message>> = {
  palette: texts.search,
  find: texts.find,
  help: texts.help,
  bold: texts.bold,
  italic: texts.italic,
  link: texts.link,
}

/** The list of all keyboard shortcuts, with the switch for those of one key. */
export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const close = useTopmost(isOpen, onClose)
  const isOn = useSingleKeys()
  return (
    <Kit>
      <Modal opened={isOpen} onClose={close} title={texts.keyboardShortcuts()} returnFocus={false}>
        {places.map(({ place, title }) => (
          <section key={place}>
            <h2 className={styles.title}>{title()}</h2>
            <dl className={styles.list}>
              {shortcutNames
                .filter((name) => shortcuts[name].place === place)
                .map((name) => (
                  <div key={name} data-off={(!shortcuts[name].mod && !isOn) || undefined}>
                    <dt>{labels[name]()}</dt>
                    <dd>
                      <Keys of={name} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h2 className={styles.title}>{texts.inAttendees()}</h2>
          <dl className={styles.list}>
            {inLists.map(({ keys, label }) => (
              <div key={label()}>
                <dt>{label()}</dt>
                <dd>
                  <kbd>{keys[0]()}</kbd> <kbd>{keys[1]()}</kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <Switch
          label={texts.singleKeys()}
          description={texts.singleKeysHint()}
          checked={isOn}
          onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
        />
      </Modal>
    </Kit>
  )
}
