import { expect, test } from 'vitest'
import { ariaKeysOf, type KeyPress, keysOf, shortcutAt, shortcutNames, shortcuts } from './shortcuts.ts'

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})
const onPage = (pressed: KeyPress, isApple = false) => shortcutAt('page', pressed, isApple)

test('each shortcut of the table is found by its keys, at its place alone', () => {
  expect([...shortcutNames].sort()).toEqual(Object.keys(shortcuts).sort())
  for (const name of shortcutNames) {
    const { key, mod, place } = shortcuts[name]
    expect(shortcutAt(place, press(key, { ctrlKey: mod }), false)).toBe(name)
  }
  expect(shortcutAt('page', press('b', { ctrlKey: true }), false)).toBeNull()
  expect(shortcutAt('text', press('?'), false)).toBeNull()
})

test('Ctrl and K opens the search on most computers, ⌘ and K on those of Apple', () => {
  expect(onPage(press('K', { ctrlKey: true }))).toBe('palette')
  expect(onPage(press('k', { metaKey: true }), true)).toBe('palette')
  // There it deletes to the end of the line.
  expect(onPage(press('k', { ctrlKey: true }), true)).toBeNull()
  for (const other of [{}, { metaKey: true }, { ctrlKey: true, shiftKey: true }, { ctrlKey: true, altKey: true }])
    expect(onPage(press('k', other))).toBeNull()
})

test('a keyboard of another script has the same shortcuts, and a sign may need Shift', () => {
  expect(onPage(press('л', { code: 'KeyK', ctrlKey: true }))).toBe('palette')
  expect(onPage(press('?', { shiftKey: true }))).toBe('help')
  expect(onPage(press('/', { shiftKey: true }))).toBe('find')
  expect(onPage(press('/', { ctrlKey: true }))).toBeNull()
})

test('keys are shown as they stand on the keyboard', () => {
  expect(keysOf(shortcuts.palette, false)).toEqual(['Ctrl', 'K'])
  expect(keysOf(shortcuts.palette, true)).toEqual(['⌘', 'K'])
  expect(keysOf(shortcuts.help, true)).toEqual(['?'])
  expect(ariaKeysOf(shortcuts.palette, false)).toBe('Control+K')
  expect(ariaKeysOf(shortcuts.palette, true)).toBe('Meta+K')
})
