import type { Font as Face, Subset } from 'fontkit'

/** A glyph as a document embeds it, in the terms of the library. */
interface GlyphPart {
  bytes: Uint8Array
  metrics: object
}

/** A part of a TrueType font while it is encoded: fields of the library that its types lack. */
interface TrueTypeSubset extends Subset {
  _addGlyph: (glyphId: number) => number
  glyf: Uint8Array[]
  hmtx: { metrics: object[] }
  loca: { offsets: number[] }
  offset: number
}

/**
 * Keeps the simple glyphs that a document embeds for later documents, as many as the font has at most: tickets have most letters in common,
 * and the library would read each letter again for each document. Fonts whose outlines are not TrueType stay as they are.
 */
export function keepGlyphs(face: Face): void {
  const kept = new Map<number, GlyphPart>()
  const createSubset = face.createSubset.bind(face)
  face.createSubset = () => {
    const subset = createSubset()
    if (isTrueType(subset)) subset._addGlyph = addKept(subset, kept)
    return subset
  }
}

function isTrueType(subset: Subset): subset is TrueTypeSubset {
  return '_addGlyph' in subset
}

function addKept(subset: TrueTypeSubset, kept: Map<number, GlyphPart>): TrueTypeSubset['_addGlyph'] {
  const addGlyph = subset._addGlyph.bind(subset)
  return (glyphId) => {
    const part = kept.get(glyphId)
    if (!part) {
      const at = addGlyph(glyphId)
      const [bytes, metrics] = [subset.glyf[at], subset.hmtx.metrics[at]]
      if (bytes && metrics && !isComposite(bytes)) kept.set(glyphId, { bytes, metrics })
      return at
    }
    subset.loca.offsets.push(subset.offset)
    subset.hmtx.metrics.push(part.metrics)
    subset.offset += part.bytes.length
    return subset.glyf.push(part.bytes) - 1
  }
}

/**
 * Whether a glyph consists of others, which it names by their place in the document: its number of contours is negative
 * (https://learn.microsoft.com/typography/opentype/spec/glyf).
 */
function isComposite([first = 0]: Uint8Array): boolean {
  return first >= 0x80
}
