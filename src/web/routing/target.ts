/**
 * Reduces an address to a target of navigation: the route's name and its first parameter. Two addresses with the same
 * target are the same page: the menu marks it, and focus and scroll position stay.
 */
export function targetOf(path: string): string {
  const { pathname } = new URL(path, 'http://here')
  return (
    pathname
      .replace(/(.)\/$/, '$1')
      // The routes with more than one parameter; the later ones are not part of the target.
      .replace(/^(\/club\/[^/]+\/event|\/event\/[^/]+\/scanner)\/[^/]+/, '$1/*')
      .replace(/^(\/(?:qr|not-found)\/[^/]+)\/.*/, '$1')
  )
}
