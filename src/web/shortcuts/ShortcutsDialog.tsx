import { Modal, Switch } from '@mantine/core'
import { Kit } from '../layouts/Kit.tsx'
import { useTopmost } from '../ui/dialogs/use-topmost.ts'
import { Keys } from './Keys.tsx'
import styles from './ShortcutsDialog.module.css'
import { shortcutNames, shortcuts } from './shortcuts.ts'
import { setSingleKeys, useSingleKeys } from './single-keys.ts'

const places = [
  { place: 'page', title: 'On every page but the scanner' },
  { place: 'text', title: 'In a text with a toolbar' },
] as const

const inLists = [
  { keys: ['↑', '↓'], label: 'The person above or below, also while one is open' },
  { keys: ['Home', 'End'], label: 'The first or the last person' },
] as const

/** The list of all keyboard shortcuts, with the switch for those of one key. */
export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const close = useTopmost(isOpen, onClose)
  const isOn = useSingleKeys()
  return (
    <Kit>
      <Modal opened={isOpen} onClose={close} title="Keyboard shortcuts" returnFocus={false}>
        {places.map(({ place, title }) => (
          <section key={place}>
            <h2 className={styles.title}>{title}</h2>
            <dl className={styles.list}>
              {shortcutNames
                .filter((name) => shortcuts[name].place === place)
                .map((name) => (
                  <div key={name} data-off={(!shortcuts[name].mod && !isOn) || undefined}>
                    <dt>{shortcuts[name].label}</dt>
                    <dd>
                      <Keys of={name} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h2 className={styles.title}>In the list of attendees</h2>
          <dl className={styles.list}>
            {inLists.map(({ keys, label }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <kbd>{keys[0]}</kbd> <kbd>{keys[1]}</kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <Switch
          label="Shortcuts of a single key"
          description="Switch them off if keys are pressed by accident, for example by voice control. It is remembered in this browser."
          checked={isOn}
          onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
        />
      </Modal>
    </Kit>
  )
}
