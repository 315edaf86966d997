import { type Colour, darkColours, isColour, lightColours, PRODUCT_COLOUR } from '../../contract/values/colours.ts'

/** The colours of a mail: readable in both schemes, whatever colour the club has chosen. */
export interface MailColours {
  /** Behind the sender's name and the words of buttons, which are white. */
  band: Colour
  link: Colour
  badge: Colour
  badgeInk: Colour
  dark: { band: Colour; link: Colour }
}

const ofProduct: MailColours = {
  band: PRODUCT_COLOUR,
  link: '#4000b8',
  badge: '#e6e2fa',
  badgeInk: '#4000b8',
  dark: { band: PRODUCT_COLOUR, link: '#c7d7ff' },
}

/** The colours for a club's colour, as `#rrggbb`; the product's for none. */
export function mailColours(colour: string): MailColours {
  if (!isColour(colour)) return ofProduct
  const [light, dark] = [lightColours(colour), darkColours(colour)]
  return {
    band: light.primary,
    link: light.secondary,
    badge: light.tertiary,
    badgeInk: light['tertiary-ink'],
    dark: { band: dark.primary, link: dark.secondary },
  }
}
