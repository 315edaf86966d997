import { expect, test } from 'vitest'
import { makeStore } from './storage.ts'

class Kept implements Storage {
  readonly kept = new Map<string, string>()
  readonly room: number
  constructor(room = Number.POSITIVE_INFINITY) {
    this.room = room
  }
  get length() {
    return this.kept.size
  }
  clear() {
    this.kept.clear()
  }
  key() {
    return null
  }
  getItem(key: string) {
    return this.kept.get(key) ?? null
  }
  setItem(key: string, text: string) {
    if (text.length > this.room) throw new DOMException('full', 'QuotaExceededError')
    this.kept.set(key, text)
  }
  removeItem(key: string) {
    this.kept.delete(key)
  }
}

test('a written value can be read, and is gone when removed', () => {
  const storage = new Kept()
  const store = makeStore(() => storage)
  expect(store.read('a')).toBeNull()
  expect(store.write('a', 'one')).toBe(true)
  expect(storage.kept.get('a')).toBe('one')
  expect(store.read('a')).toBe('one')
  store.remove('a')
  expect(store.read('a')).toBeNull()
  expect(storage.kept.size).toBe(0)
})

test('with blocked storage values last as long as the page, and writing says so', () => {
  const store = makeStore(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  expect(store.read('a')).toBeNull()
  expect(store.write('a', 'one')).toBe(false)
  expect(store.read('a')).toBe('one')
  store.remove('a')
  expect(store.read('a')).toBeNull()
})

test('full storage never returns the earlier value', () => {
  const storage = new Kept(4)
  const store = makeStore(() => storage)
  store.write('a', 'old')
  expect(store.write('a', 'much longer')).toBe(false)
  expect(store.read('a')).toBe('much longer')
  expect(storage.kept.has('a')).toBe(false)
  expect(store.write('a', 'new')).toBe(true)
  expect(store.read('a')).toBe('new')
})
