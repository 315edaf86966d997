import { type Colour, darkColours, lightColours } from '../../contract/values/colours.ts'

/** The style sheet that gives a club's pages its colour, in light and dark. */
export function colourSheet(colour: Colour): string {
  const [light, dark] = [lightColours(colour), darkColours(colour)].map((colours) =>
    Object.entries(colours)
      .map(([name, value]) => `--${name}:${value}`)
      .join(';'),
  )
  // `:root` twice wins over the product's own colours, whichever sheet comes first.
  return `:root:root{${light}}@media (prefers-color-scheme:dark){:root:root{${dark}}}`
}
