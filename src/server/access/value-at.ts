/** The id at `path` in an input; null when there is none, which the input's schema then reports. */
export function idAt(input: unknown, path: string): number | null {
  const value = valueAt(input, path)
  const id = typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2_147_483_647 ? id : null
}

/** The value at `path`, such as `payload.eventId`, in an input. */
export function valueAt(input: unknown, path: string): unknown {
  let value = input
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(key) : undefined
  return value
}
