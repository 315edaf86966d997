import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { forgetGlyphs } from './fonts.ts'
import { type Document, MARGIN, NO_DEFAULT_FONT, paragraph, WIDTH } from './pdf-drawing.ts'

/** A list of attendees as its pages show it. All texts are in words. */
export interface ShownList {
  language: string
  /** Of the file. */
  title: string
  name: string
  /** When and where the event is. */
  when: string
  /** How many there are, and as of when. */
  count: string
  people: {
    name: string
    code: string
    /** Vouchers, and what is still to be paid; empty for none. */
    note: string
    isIn: boolean
  }[]
  /** The footer of each page. */
  footers: string[]
}

/** Where the rows of a page begin and end, in points. */
const [FIRST_TOP, TOP, BOTTOM] = [128, 48, 790]
const ROW = 24
const NOTE = 14
const BOX = 11
const QUIET = '#5a5a72'
const LINE = '#c9c9d9'

/** How many rows fit on each page: the first has the head, and rows with a note are higher. */
export function pagesOf(people: readonly { note: string }[]): number[] {
  const pages: number[] = []
  let [count, y] = [0, FIRST_TOP]
  for (const { note } of people) {
    const height = heightOf(note)
    if (y + height > BOTTOM) {
      pages.push(count)
      count = 0
      y = TOP
    }
    count++
    y += height
  }
  return [...pages, count]
}

const heightOf = (note: string) => (note === '' ? ROW : ROW + NOTE)

/** A list of attendees for a clipboard: by name, each with a box to tick, the short code, and the vouchers. */
export async function listPdf({ language, title, name, when, count, people, footers }: ShownList): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: language,
    ...NO_DEFAULT_FONT,
    displayTitle: true,
    info: { Title: title },
  })
  const content = buffer(doc)
  let y = await paragraph(doc, name, { y: 40, size: 18, weight: 'bold', mostLines: 1 })
  y = await paragraph(doc, when, { y: y + 2, size: 11, mostLines: 1, color: QUIET })
  await paragraph(doc, count, { y: y + 2, size: 11, mostLines: 1, color: QUIET })
  let at = 0
  for (const [page, rows] of pagesOf(people).entries()) {
    if (page > 0) doc.addPage()
    y = page === 0 ? FIRST_TOP : TOP
    for (const person of people.slice(at, at + rows)) {
      await row(doc, person, y)
      y += heightOf(person.note)
    }
    at += rows
    await paragraph(doc, footers[page] ?? '', { y: 808, size: 9, align: 'centre', color: QUIET, bottom: 830 })
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
  doc.rect(MARGIN, top, BOX, BOX).lineWidth(1).stroke('#1f1f33')
  if (isIn)
    doc
      .moveTo(MARGIN + 2, top + 6)
      .lineTo(MARGIN + 4.5, top + 8.5)
      .lineTo(MARGIN + 9, top + 2.5)
      .lineWidth(1.5)
      .stroke('#1f1f33')
  const line = { y: y + 4, bottom: BOTTOM + ROW, mostLines: 1 }
  await paragraph(doc, name, { ...line, size: 11, weight: 'bold', indent: 22, clear: 110 })
  await paragraph(doc, code, { ...line, size: 11, align: 'right' })
  if (note !== '') await paragraph(doc, note, { ...line, y: y + ROW - 3, size: 9, indent: 22, color: QUIET })
}
