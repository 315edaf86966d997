import { isDeepStrictEqual } from 'node:util'

interface Fields<K extends string> {
  /** Logged with their values. */
  shown: readonly K[]
  /** Logged by name alone: long texts, files, and personal data. */
  named: readonly K[]
}

/** What an edit has changed, for the log of changes. */
export function differences<T, K extends keyof T & string>(before: T, after: T, { shown, named }: Fields<K>) {
  const isChanged = (field: K) => !isDeepStrictEqual(before[field], after[field])
  const changed = shown.filter(isChanged)
  const fields = named.filter(isChanged)
  return {
    before: pick(before, changed),
    after: { ...pick(after, changed), ...(fields.length > 0 && { fields }) },
    isNone: changed.length + fields.length === 0,
  }
}

/** Some fields of a row. */
export function pick<T, K extends keyof T & string>(row: T, fields: readonly K[]): Record<string, T[K]> {
  return Object.fromEntries(fields.map((field) => [field, row[field]]))
}
