import { colourSheetUrl } from '../../contract/values/covers.ts'

/** Gives the page the colour of its club; the server makes the shades that text and dark mode need. */
export function ClubColours({ colour }: { colour: string }) {
  return colour === '' ? null : <link rel="stylesheet" href={colourSheetUrl(colour)} />
}
