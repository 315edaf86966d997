import { PRODUCT_COLOUR } from './colours.ts'

/** A 32-bit hash (FNV-1a) that tells names apart; not for anything secret. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Where the drawn cover of this name is served; `colour` is the club's, empty for none. The same name always gives the same cover. */
export function coverUrl(name: string, colour: string): string {
  const seed = hashOf(name).toString(16).padStart(8, '0')
  return `/cover/${seed}-${(colour || PRODUCT_COLOUR).slice(1)}.svg`
}

/** The seed and the colour of a cover's file name; null for any other name. */
export function coverOf(file: string): { seed: number; colour: string } | null {
  const [, seed, colour] = /^([\da-f]{8})-([\da-f]{6})\.svg$/.exec(file) ?? []
  return seed === undefined || colour === undefined ? null : { seed: Number.parseInt(seed, 16), colour: `#${colour}` }
}

/** Where the style sheet with the colours of a club's pages is served. */
export function colourSheetUrl(colour: string): string {
  return `/colours/${colour.slice(1)}.css`
}
