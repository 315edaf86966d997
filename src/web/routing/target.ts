/**
 * What an address is reduced to as a target of navigation: the route's name and its first parameter. Two addresses with one
 * target are the same page: the menu marks it, focus and scrolling stay.
 */
export function targetOf(path: string): string {
  const { pathname } = new URL(path, 'http://here')
  return (
    pathname
      .replace(/(.)\/$/, '$1')
      // The routes with more than one parameter; what the later ones say is no part of the target.
      .replace(/^(\/club\/[^/]+\/event|\/event\/[^/]+\/scanner)\/[^/]+/, '$1/*')
      .replace(/^(\/(?:qr|not-found)\/[^/]+)\/.*/, '$1')
  )
}
