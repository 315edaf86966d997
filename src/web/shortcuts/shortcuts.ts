import * as texts from '../../texts/generated/keys.ts'

interface Shortcut {
  /** The letter or sign. */
  key: string
  /** Whether it is pressed with Ctrl, or with ⌘ on a Mac. */
  mod: boolean
  /** Where it works: on the page, or in a text with a toolbar. */
  place: 'page' | 'text'
}

/** Every keyboard shortcut of staff's pages: the handlers and the list of shortcuts both come from this table; what each does stands in the list. */
export const shortcuts = {
  palette: { key: 'k', mod: true, place: 'page' },
  find: { key: '/', mod: false, place: 'page' },
  help: { key: '?', mod: false, place: 'page' },
  bold: { key: 'b', mod: true, place: 'text' },
  italic: { key: 'i', mod: true, place: 'text' },
  link: { key: 'k', mod: true, place: 'text' },
} as const satisfies Readonly<Record<string, Shortcut>>

export type ShortcutName = keyof typeof shortcuts
type NameAt<Place extends Shortcut['place']> = {
  [Name in ShortcutName]: (typeof shortcuts)[Name]['place'] extends Place ? Name : never
}[ShortcutName]

/** What a handler needs of a key press. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The shortcut of this place that was pressed. */
export function shortcutAt<Place extends Shortcut['place']>(
  place: Place,
  press: KeyPress,
  isApple = isOnApple(),
): NameAt<Place> | null {
  const isAt = (name: ShortcutName): name is NameAt<Place> => shortcuts[name].place === place
  return shortcutNames.filter(isAt).find((name) => isPressed(shortcuts[name], press, isApple)) ?? null
}

export const shortcutNames: readonly ShortcutName[] = ['palette', 'find', 'help', 'bold', 'italic', 'link']

function isPressed({ key, mod }: Shortcut, press: KeyPress, isApple: boolean): boolean {
  const [wanted, other] = isApple ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey]
  if (press.altKey || other || wanted !== mod) return false
  // A sign may need Shift, depending on the keyboard. With Ctrl, Shift means something else.
  if (!mod) return press.key === key
  return !press.shiftKey && letterOf(press) === key
}

/** The letter on the key; on Greek, Cyrillic and other keyboards, that of the key's place. */
export function letterOf({ key, code }: KeyPress): string {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace(/^Key/, '').toLowerCase()
}

/** The keys of a shortcut as they stand on the keyboard. */
export function keysOf({ key, mod }: Shortcut, isApple = isOnApple()): string[] {
  return [...(mod ? [isApple ? '⌘' : texts.control()] : []), key.toUpperCase()]
}

/** The same for `aria-keyshortcuts`. */
export function ariaKeysOf({ key, mod }: Shortcut, isApple = isOnApple()): string {
  return mod ? `${isApple ? 'Meta' : 'Control'}+${key.toUpperCase()}` : key
}

function isOnApple(): boolean {
  return /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')
}
