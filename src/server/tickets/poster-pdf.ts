import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { forgetGlyphs } from './fonts.ts'
import { drawQr, NO_DEFAULT_FONT, paragraph, WIDTH } from './pdf-drawing.ts'

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

/** A poster for the club's board: the event, and the code that opens its page. */
export async function posterPdf(shown: ShownOnPoster): Promise<Buffer> {
  const { size, language, title, name, when, location, clubName, price, invitation, url } = shown
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
  doc.rect(0, 0, WIDTH, HEAD).fill('#6464d3')
  doc
    .circle(WIDTH - 40, 30, 120)
    .fillOpacity(0.16)
    .fill('#fff')
  doc.circle(60, HEAD, 90).fill('#fff').fillOpacity(1)
  doc.rect(0, HEAD, WIDTH, 100).fill('#fff')
  const white = { color: '#ffffff', bottom: HEAD - 20 }
  let y = await paragraph(doc, clubName, { y: 44, size: 16, weight: 'bold', mostLines: 1, ...white })
  y = await paragraph(doc, name, {
    y: y + 10,
    size: name.length > 70 ? 24 : name.length > 40 ? 28 : name.length > 22 ? 34 : 42,
    weight: 'bold',
    mostLines: 3,
    ...white,
  })
  y = await paragraph(doc, when, { y: y + 12, size: 18, mostLines: 2, ...white })
  await paragraph(doc, location, { y: y + 2, size: 18, mostLines: 1, ...white })
  drawQr(doc, url, { x: (WIDTH - QR_SIZE) / 2, y: HEAD + 40, size: QR_SIZE })
  y = HEAD + 40 + QR_SIZE + 18
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
