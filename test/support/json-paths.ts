// Places in a JSON value, as lists of keys and positions.

export type Path = readonly (string | number)[]

export function leaves(value: unknown, at: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leaves(item, [...at, index]))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => leaves(item, [...at, key]))
  return [at]
}

export function objects(value: unknown, at: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => objects(item, [...at, index]))
  if (typeof value !== 'object' || value === null) return []
  return [at, ...Object.entries(value).flatMap(([key, item]) => objects(item, [...at, key]))]
}

export function valueAt(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return value
  return valueAt(new Map<string, unknown>(Object.entries(value)).get(String(key)), rest)
}

/** A copy with the value at a path replaced; undefined removes it. */
export function changed(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? changed(item, rest, to) : item))
  const entries = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : [])
  entries.set(String(key), changed(entries.get(String(key)), rest, to))
  return Object.fromEntries(entries)
}
