/** A colour as `#rrggbb`. */
export type Colour = `#${string}`

/** The colour of clubs that have chosen none. */
export const PRODUCT_COLOUR: Colour = '#6464d3'

/** The contrast that text needs on what is behind it (WCAG 2.2, 1.4.3). */
const TEXT_CONTRAST = 4.5
/** From here on a shape can be told from what is around it. */
const SHAPE_CONTRAST = 2
const STEP = 0.02

/** The colours of a club's pages, named after the design tokens that they replace. */
export interface ClubColours {
  primary: Colour
  'primary-dark': Colour
  secondary: Colour
  tertiary: Colour
  'tertiary-ink': Colour
  hover: Colour
  soft: Colour
  'soft-hover': Colour
}

const WHITE: Colour = '#ffffff'
const BLACK: Colour = '#000000'
/** The page in the light scheme, and the cards in the dark one, as in `web/ui/tokens.css`. */
const DAY: Colour = '#f6f6fc'
const NIGHT: Colour = '#1d1d2c'

/** Whether this is a colour as clubs choose it. */
export function isColour(text: string): text is Colour {
  return /^#[\da-f]{6}$/.test(text)
}

/** The colours of a club's pages in the light scheme: its colour, darkened as far as text needs it. */
export function lightColours(colour: Colour): ClubColours {
  const grounds = {
    hover: mix(colour, WHITE, 0.92),
    soft: mix(colour, WHITE, 0.88),
    'soft-hover': mix(colour, WHITE, 0.8),
  }
  const primary = towards(BLACK, colour, isReadableOn([WHITE]))
  const tertiary = mix(colour, WHITE, 0.76)
  return {
    primary,
    'primary-dark': mix(primary, BLACK, 0.18),
    secondary: towards(BLACK, colour, isReadableOn([DAY, grounds['soft-hover']])),
    tertiary,
    'tertiary-ink': towards(BLACK, colour, isReadableOn([tertiary])),
    ...grounds,
  }
}

/** The same in the dark scheme: text is lightened, and so are buttons that would be lost on the dark ground. */
export function darkColours(colour: Colour): ClubColours {
  const grounds = {
    hover: mix(colour, NIGHT, 0.86),
    soft: mix(colour, NIGHT, 0.8),
    'soft-hover': mix(colour, NIGHT, 0.7),
  }
  const seen = towards(WHITE, colour, (each) => contrast(each, NIGHT) >= SHAPE_CONTRAST)
  const primary = towards(BLACK, seen, isReadableOn([WHITE]))
  const tertiary = mix(colour, NIGHT, 0.68)
  return {
    primary,
    'primary-dark': mix(primary, BLACK, 0.18),
    secondary: towards(WHITE, colour, isReadableOn([NIGHT, ...Object.values(grounds)])),
    tertiary,
    'tertiary-ink': towards(WHITE, colour, isReadableOn([tertiary])),
    ...grounds,
  }
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, relative luminance). */
export function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const isReadableOn = (grounds: readonly Colour[]) => (text: Colour) =>
  grounds.every((ground) => contrast(text, ground) >= TEXT_CONTRAST)

/** The first colour that is good enough on the way from one to another. */
function towards(end: Colour, start: Colour, isGood: (colour: Colour) => boolean): Colour {
  for (let share = 0; share < 1; share += STEP) {
    const colour = mix(start, end, share)
    if (isGood(colour)) return colour
  }
  return end
}

/** A mixture of two colours; `share` is how much of the second is in it, from 0 to 1. */
function mix(first: Colour, second: Colour, share: number): Colour {
  const parts = partsOf(second)
  const mixed = partsOf(first).map((part, at) => Math.round(part + ((parts[at] ?? 0) - part) * share))
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Red, green and blue, each from 0 to 255. */
function partsOf(colour: Colour): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

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
