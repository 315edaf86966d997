type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The fields that were given: without those that are undefined. */
export function omitUndefined<T extends object>(fields: T): Defined<T> {
  // Object.fromEntries forgets which key has which type; nothing but undefined values was taken out.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
