import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import type { PaperColours } from '../../contract/values/colours.ts'
import { forgetGlyphs } from './fonts/fonts.ts'
import { type Document, drawQr, heightOf, MARGIN, NO_DEFAULT_FONT, paragraph, sizeFor, WIDTH } from './pdf-drawing.ts'

/** An event as its poster shows it. */
export interface ShownOnPoster {
  size: 'A4' | 'A3'
  language: string
  /** Of the file. */
  title: string
  name: string
  when: string
  location: string
  clubName: string
  /** The club's logo as PNG; null for none. */
  logo: Uint8Array | null
  colours: PaperColours
  /** The price in words, such as `Free`. */
  price: string
  /** The text below the QR code. */
  invitation: string
  /** Address of the event's page. */
  url: string
}

/** A3 is A4 times this. */
const A3 = Math.SQRT2
const HEAD = 330
const QR_SIZE = 290
const LOGO = 56
const NAME_SIZES = [54, 46, 40, 34, 28, 24]
const NAME_GAP = 12
/** What stays free above and below the text of the head. */
const EDGE = 24

/** A poster for the club's board: the event, and the code that opens its page. */
export async function posterPdf(shown: ShownOnPoster): Promise<Buffer> {
  const { size, language, title, clubName, price, invitation, url } = shown
  const doc = new PDFDocument({
    size,
    margin: 0,
    lang: language,
    ...NO_DEFAULT_FONT,
    displayTitle: true,
    info: { Title: title, Author: clubName },
  })
  const content = buffer(doc)
  if (size === 'A3') doc.scale(A3)
  await head(doc, shown)
  drawQr(doc, url, { x: (WIDTH - QR_SIZE) / 2, y: HEAD + 40, size: QR_SIZE })
  let y = HEAD + 40 + QR_SIZE + 18
  y = await paragraph(doc, invitation, { y, size: 26, weight: 'bold', align: 'centre', bottom: 830 })
  y = await paragraph(doc, price, { y: y + 2, size: 16, align: 'centre', mostLines: 1, bottom: 830 })
  await paragraph(doc, url.replace(/^https?:\/\//, ''), {
    y: y + 4,
    size: 12,
    color: '#5a5a72',
    align: 'centre',
    mostLines: 2,
    bottom: 835,
  })
  doc.end()
  // Fonts are embedded by now.
  forgetGlyphs()
  return content
}

/** The club and the event, in the middle of a ground in the club's colour. */
async function head(doc: Document, { name, when, location, clubName, logo, colours }: ShownOnPoster): Promise<void> {
  doc.rect(0, 0, WIDTH, HEAD).fill(colours.ground)
  doc.save().rect(0, 0, WIDTH, HEAD).clip()
  // Darker than the ground: white words that reach them stay readable.
  doc
    .circle(WIDTH - 40, 30, 120)
    .fillOpacity(0.16)
    .fill('#000')
  doc.circle(60, HEAD, 90).fill('#000').fillOpacity(1).restore()
  const clubLook = { size: 16, weight: 'bold', mostLines: 2, indent: logo ? LOGO + 14 : 0 } as const
  const clubHeight = await heightOf(clubName, { ...clubLook, y: 0 })
  const first = Math.max(clubHeight, logo ? LOGO : 0)
  const facts = [
    { text: when, gap: 10, look: { size: 18, mostLines: 2 } },
    { text: location, gap: 2, look: { size: 18, mostLines: 2 } },
  ].filter(({ text }) => text !== '')
  let rest = first + NAME_GAP
  for (const { text, gap, look } of facts) rest += gap + (await heightOf(text, { ...look, y: 0 }))
  // As large as there is room for.
  const nameLook = { weight: 'bold', mostLines: 3 } as const
  const size = await sizeFor(name, NAME_SIZES, { ...nameLook, y: rest, bottom: HEAD - 2 * EDGE })
  const height = rest + (await heightOf(name, { ...nameLook, size, y: 0 }))
  const white = { color: '#ffffff', bottom: HEAD }
  let y = Math.max(EDGE, (HEAD - height) / 2)
  if (logo) drawLogo(doc, logo, y)
  await paragraph(doc, clubName, { ...clubLook, ...white, y: y + (first - clubHeight) / 2 })
  y = await paragraph(doc, name, { ...nameLook, ...white, size, y: y + first + NAME_GAP })
  for (const { text, gap, look } of facts) y = await paragraph(doc, text, { ...look, ...white, y: y + gap })
}

/** On white, because most logos are made for it. */
function drawLogo(doc: Document, logo: Uint8Array, y: number): void {
  doc.save().roundedRect(MARGIN, y, LOGO, LOGO, 10).clip()
  doc.rect(MARGIN, y, LOGO, LOGO).fill('#fff')
  const inner = LOGO - 8
  // From another thread it is no Buffer any more, which the library would take for a path.
  doc.image(Buffer.from(logo), MARGIN + 4, y + 4, { fit: [inner, inner], align: 'center', valign: 'center' }).restore()
}
