import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { forgetGlyphs } from './fonts/fonts.ts'
import { type Document, heightOf, MARGIN, NO_DEFAULT_FONT, paragraph, WIDTH } from './pdf-drawing.ts'
import { PAGE, PAGES, type ShownList } from './shown-list.ts'

/** Where the rows of a page begin and end, in points. */
const [FIRST_TOP, TOP, BOTTOM] = [128, 48, 790]
const ROW = 24
const BOX = 11
const INK = '#1f1f33'
const QUIET = '#5a5a72'
const LINE = '#c9c9d9'
/** Where the text of a row begins, and how the note looks. Three lines hold the vouchers of a family. */
const INDENT = 22
const NOTE = { size: 9, indent: INDENT, color: QUIET, mostLines: 3 }

/** A list of attendees for a clipboard: by name, each with a box to tick, a code, and the vouchers. */
export async function listPdf({ language, title, name, when, count, people, footer }: ShownList): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: language,
    bufferPages: true,
    ...NO_DEFAULT_FONT,
    displayTitle: true,
    info: { Title: title },
  })
  const content = buffer(doc)
  let y = await paragraph(doc, name, { y: 40, size: 18, weight: 'bold', mostLines: 1 })
  y = await paragraph(doc, when, { y: y + 2, size: 11, mostLines: 1, color: QUIET })
  await paragraph(doc, count, { y: y + 2, size: 11, mostLines: 1, color: QUIET })
  y = FIRST_TOP
  for (const person of people) {
    const height = ROW + (person.note === '' ? 0 : await heightOf(person.note, { ...NOTE, y: 0 }))
    if (y + height > BOTTOM) {
      doc.addPage()
      y = TOP
    }
    await row(doc, person, y)
    y += height
  }
  const { count: pages } = doc.bufferedPageRange()
  for (let page = 0; page < pages; page++) {
    doc.switchToPage(page)
    const text = footer.replace(PAGE, String(page + 1)).replace(PAGES, String(pages))
    await paragraph(doc, text, { y: 808, size: 9, align: 'centre', mostLines: 1, color: QUIET, bottom: 830 })
  }
  doc.end()
  // Fonts are embedded by now.
  forgetGlyphs()
  return content
}

async function row(doc: Document, { name, code, note, isIn }: ShownList['people'][number], y: number): Promise<void> {
  doc
    .moveTo(MARGIN, y)
    .lineTo(WIDTH - MARGIN, y)
    .lineWidth(0.5)
    .stroke(LINE)
  const top = y + (ROW - BOX) / 2
  doc.rect(MARGIN, top, BOX, BOX).lineWidth(1).stroke(INK)
  if (isIn)
    doc
      .moveTo(MARGIN + 2, top + 6)
      .lineTo(MARGIN + 4.5, top + 8.5)
      .lineTo(MARGIN + 9, top + 2.5)
      .lineWidth(1.5)
      .stroke(INK)
  const line = { y: y + 4, size: 11, bottom: BOTTOM + ROW, mostLines: 1 }
  await paragraph(doc, name, { ...line, weight: 'bold', indent: INDENT, clear: 110 })
  await paragraph(doc, code, { ...line, align: 'right' })
  if (note !== '') await paragraph(doc, note, { ...NOTE, y: y + ROW - 3, bottom: BOTTOM + ROW })
}
