import { isColour, lightColours, PRODUCT_COLOUR } from '../../contract/values/colours.ts'

/** The colours of what is printed for a club. */
export interface PaperColours {
  /** Behind white text. */
  ground: string
  /** Of text on white. */
  ink: string
}

/** The club's colour as far as text can be read on it and in it; the product's colours for none. */
export function paperColours(colour: string): PaperColours {
  if (!isColour(colour)) return { ground: PRODUCT_COLOUR, ink: '#4000b8' }
  const { primary, secondary } = lightColours(colour)
  return { ground: primary, ink: secondary }
}
