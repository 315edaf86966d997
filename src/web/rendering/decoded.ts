/** A decoded part of an address; if it cannot be decoded, it stays as it is. */
export function decoded(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part)
  } catch {
    return part
  }
}
