import type { Font as Face, Subset } from 'fontkit'

/** What a document embeds of a glyph, as the library holds it. */
interface EmbeddedGlyph {
  bytes: Uint8Array
  metrics: object
}

/** The part of a TrueType font that a document embeds. These fields are missing in the library's types. */
interface TrueTypeSubset extends Subset {
  _addGlyph: (glyphId: number) => number
  glyf: Uint8Array[]
  hmtx: { metrics: object[] }
  loca: { offsets: number[] }
  offset: number
}

/**
 * Keeps the simple glyphs that a document embeds for later documents: tickets have most letters in common, and the library would read each
 * letter again for each document. At most as many are kept as the font has. Fonts with other than TrueType outlines stay as they are.
 */
export function keepGlyphs(face: Face): void {
  const kept = new Map<number, EmbeddedGlyph>()
  const createSubset = face.createSubset.bind(face)
  face.createSubset = () => {
    const subset = createSubset()
    if (isTrueType(subset)) subset._addGlyph = withKeptGlyphs(subset, kept)
    return subset
  }
}

function isTrueType(subset: Subset): subset is TrueTypeSubset {
  return '_addGlyph' in subset
}

function withKeptGlyphs(subset: TrueTypeSubset, kept: Map<number, EmbeddedGlyph>): TrueTypeSubset['_addGlyph'] {
  const addGlyph = subset._addGlyph.bind(subset)
  return (glyphId) => {
    const glyph = kept.get(glyphId)
    if (!glyph) {
      const at = addGlyph(glyphId)
      const [bytes, metrics] = [subset.glyf[at], subset.hmtx.metrics[at]]
      if (bytes && metrics && !isComposite(bytes)) kept.set(glyphId, { bytes, metrics })
      return at
    }
    subset.loca.offsets.push(subset.offset)
    subset.hmtx.metrics.push(glyph.metrics)
    subset.offset += glyph.bytes.length
    return subset.glyf.push(glyph.bytes) - 1
  }
}

/**
 * Whether a glyph is made of others, which it names by their position in the subset: its number of contours is negative
 * (https://learn.microsoft.com/typography/opentype/spec/glyf).
 */
function isComposite([first = 0]: Uint8Array): boolean {
  return first >= 0x80
}
