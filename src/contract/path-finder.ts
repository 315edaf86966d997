const ids = ['id', 'clubId', 'eventId']

/** A page's path with the parameters of an address. */
export interface FoundPage<Path extends string> {
  path: Path
  params: Readonly<Record<string, string>>
}

/**
 * Returns a function that finds the page at an address among these paths; it answers null when there is none. A part of a path that begins
 * with a colon is a parameter, one that ends with `?` may be left out. Addresses match as in the web's routers: ignoring case, with or
 * without a slash at the end.
 */
export function pathFinder<Path extends string>(paths: readonly Path[]): (address: string) => FoundPage<Path> | null {
  const patterns = paths.map((path) => {
    const source = path.replace(/\/:(\w+)(\?)?/g, (_, name: string, optional = '') => {
      return `(?:/(?<${name}>${ids.includes(name) ? '[1-9]\\d{0,8}' : '[^/]+'}))${optional}`
    })
    return { path, pattern: new RegExp(`^${source === '/' ? '' : source}/?$`, 'i') }
  })
  return (address) => {
    for (const { path, pattern } of patterns) {
      const match = pattern.exec(address)
      if (match) return { path, params: match.groups ?? {} }
    }
    return null
  }
}
