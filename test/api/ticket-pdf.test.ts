import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createCanvas } from '@napi-rs/canvas'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { beforeAll, expect, test } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { contrast } from '../../src/contract/values/colours.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import type { ClubRow, EventRow, RegistrationRow } from '../../src/server/db/schema.ts'
import { keyOf } from '../../src/server/tickets/pdf-cache.ts'
import { shownOf } from '../../src/server/tickets/shown-on-pdf.ts'
import { ticketPdf } from '../../src/server/tickets/ticket-pdf.ts'
import { makeEvent, makeFixture, makeRegistration } from '../support/make.ts'
import { BASE_URL, startApp } from '../support/start-app.ts'

let club: ClubRow
let event: EventRow
let registration: RegistrationRow

beforeAll(async () => {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } })
  const app = await startApp()
  const fixture = await makeFixture(app)
  const made = await makeRegistration(app, await makeEvent(app, fixture.token, { location: 'Hauptstraße 5, Łódź' }))
  const { db } = app.deps
  registration = await db.selectFrom('registrations').selectAll().where('id', '=', made.id).executeTakeFirstOrThrow()
  event = await db.selectFrom('events').selectAll().where('id', '=', made.eventId).executeTakeFirstOrThrow()
  club = await db.selectFrom('clubs').selectAll().where('id', '=', made.clubId).executeTakeFirstOrThrow()
  await app.stop()
})

async function open(person: Partial<RegistrationRow>, name = event.name) {
  const bytes = await ticketPdf(
    shownOf(
      [
        {
          registration: { ...registration, ...person },
          event: { ...event, name },
          club,
          typeName: null,
          purchases: [],
          receipt: null,
        },
      ],
      BASE_URL,
    ),
  )
  return getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, disableFontFace: true, verbosity: 0 })
    .promise
}

async function textOf(document: Awaited<ReturnType<typeof open>>): Promise<string> {
  const { items } = await (await document.getPage(1)).getTextContent()
  return items
    .map((item) => ('str' in item ? item.str : ''))
    .join('')
    .normalize('NFC')
}

test('the PDF says whose ticket it is for what, and its code is the ticket’s', async () => {
  const document = await open({ name: 'Ada Lovelace' })
  expect(document.numPages).toBe(1)
  const page = await document.getPage(1)
  expect(page.view.slice(2).map(Math.round)).toEqual([595, 842])
  const text = await textOf(document)
  for (const part of [
    'Ada Lovelace',
    'Summer party',
    'Friday 27/11/2026, 19:00–23:00 CET',
    'Hauptstraße 5, Łódź',
    club.name,
  ])
    expect(text).toContain(part)

  const viewport = page.getViewport({ scale: 2 })
  const canvas = createCanvas(viewport.width, viewport.height)
  const canvasContext = canvas.getContext('2d')
  // Another type of canvas, which draws as the browser's does.
  await page.render({ canvasContext: canvasContext as never, viewport }).promise
  const { data } = canvasContext.getImageData(0, 0, canvas.width, canvas.height)
  const picture = {
    data: new Uint8ClampedArray(data),
    width: canvas.width,
    height: canvas.height,
    colorSpace: 'srgb' as const,
  }
  const [code] = await readBarcodes(picture, { formats: ['QRCode'] })
  expect(code?.text).toBe(ticketUrl(BASE_URL, registration))
})

test('the PDF is in the club’s colour, and says that the code is for coming back too where that is allowed', () => {
  const shown = (of: { colour?: string; allowsReentry?: boolean }) => {
    const facts = { registration, typeName: null, purchases: [], receipt: null }
    const [ticket] = shownOf([{ ...facts, event: { ...event, ...of }, club: { ...club, ...of } }], BASE_URL).tickets
    return ticket
  }
  expect(shown({})).toMatchObject({
    colours: { ground: '#6464d3' },
    note: 'Show this code at the door. It lets one person in, once.',
  })
  expect(shown({ colour: '#0b6e4f', allowsReentry: true })).toMatchObject({
    colours: { ground: '#0b6e4f', ink: expect.stringMatching(/^#/) },
    note: 'Show this code at the door, also when you go out and come back. It lets one person in.',
  })
})

test('white words can be read on all of the head, whatever the club’s colour', async () => {
  const facts = { registration, event, typeName: null, purchases: [], receipt: null }
  const bytes = await ticketPdf(shownOf([{ ...facts, club: { ...club, colour: '#ffd400' } }], BASE_URL))
  const page = await (await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise).getPage(1)
  const viewport = page.getViewport({ scale: 1 })
  const canvas = createCanvas(viewport.width, viewport.height)
  const canvasContext = canvas.getContext('2d')
  await page.render({ canvasContext: canvasContext as never, viewport }).promise
  // At the left edge, and in a circle at the right one.
  for (const x of [10, viewport.width - 10]) {
    const rgb = Buffer.from(canvasContext.getImageData(x, 10, 1, 1).data.subarray(0, 3)).toString('hex')
    expect(contrast('#ffffff', `#${rgb}`), `at ${x}`).toBeGreaterThanOrEqual(4.5)
  }
})

test('names in any script can be selected as they were written', async () => {
  for (const name of ['山田 太郎', '김철수', 'Иван Ёлкин', 'Ελένη', 'สมชาย', 'Nguyễn Thị Ánh', 'Zoë 🎉', 'Ada ❤ ★ →'])
    expect((await textOf(await open({ name }))).replaceAll(' ', ''), name).toContain(name.replaceAll(' ', ''))
  for (const [name, letters] of [
    ['محمد علي', 'محمدعلي'],
    ['דוד לוי', 'דודלוי'],
  ] as const) {
    const text = (await textOf(await open({ name }))).replaceAll(' ', '')
    // Right-to-left text is stored in visual order; a reader reverses it.
    for (const letter of letters) expect(text, name).toContain(letter)
  }
})

test('letters can be selected after another ticket that had them with accents only', async () => {
  for (const [accents, plain] of [
    ['Ödön Ängelholm', 'Olga Anna'],
    ['Ёлкин Ёж', 'Елена Ежова'],
  ] as const) {
    await open({ name: accents }, 'x')
    expect(await textOf(await open({ name: plain }, 'x'))).toContain(plain)
  }
})

test('a word of a ticket keeps its own letters, whatever stood before it on another ticket', async () => {
  // In these words the font draws two letters with one glyph and different dots.
  await open({ name: 'بدر' }, 'تونس بدر')
  const text = (await textOf(await open({ name: 'Ada' }, 'تونس'))).normalize('NFKC')
  for (const letter of 'تونس') expect(text).toContain(letter)
})

test('invisible characters take no room in a line', async () => {
  // Three lines at the most, which the marks would fill.
  const name = `Ada Lovelace${'\u200e'.repeat(120)} and friends`
  const letters = (await textOf(await open({}, name))).match(/[\p{Letter}…]/gu)?.join('')
  expect(letters).toContain('AdaLovelaceandfriends')
})

test('a long name and many answers stay on the page', async () => {
  const others = Array.from({ length: 60 }, (_, n) => ({
    qId: n + 1,
    question: `Question ${n}`,
    answer: 'x'.repeat(300),
  }))
  const document = await open(
    { name: 'Wolfeschlegelsteinhausenbergerdorff '.repeat(3).trim(), others },
    'A very long event name '.repeat(7).trim(),
  )
  expect(document.numPages).toBe(1)
})

test.each([
  [
    'a long answer',
    { others: [{ qId: 1, question: 'Why?', answer: 'because it is said that '.repeat(200) }] },
    'Party',
  ],
  ['a word without end', { others: [{ qId: 1, question: 'Why?', answer: 'x'.repeat(5_000) }] }, 'Party'],
  ['an event’s name without spaces', { name: 'W'.repeat(120), others: [] }, 'W'.repeat(160)],
])('%s ends above the footer and within the margins', async (_what, person, name) => {
  const document = await open(person, name)
  expect(document.numPages).toBe(1)
  const { items } = await (await document.getPage(1)).getTextContent()
  const texts = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item] : []))
  const footer = texts.filter(({ str }) => str.includes(club.name)).at(-1)
  const footerTop = (footer?.transform[5] ?? 0) + 9
  for (const { transform, width } of texts.filter((text) => text !== footer)) {
    expect(transform[5]).toBeGreaterThan(footerTop)
    expect(transform[4] + width).toBeLessThanOrEqual(595 - 50)
  }
  expect(texts.map(({ str }) => str).join('')).toContain('…')
})

test('tickets of one mail are pages of one PDF, each with its code', async () => {
  const other = { ...registration, id: registration.id + 1, qrUuid: crypto.randomUUID(), name: 'Second Child' }
  const bytes = await ticketPdf(
    shownOf(
      [registration, other].map((ticket) => ({
        registration: ticket,
        event,
        club,
        typeName: null,
        purchases: [],
        receipt: null,
      })),
      BASE_URL,
    ),
  )
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  expect(document.numPages).toBe(2)
})

test('two PDFs count as the same if they show the same', () => {
  const shown = (more: Partial<RegistrationRow>) =>
    keyOf(
      shownOf(
        [{ registration: { ...registration, ...more }, event, club, typeName: null, purchases: [], receipt: null }],
        BASE_URL,
      ),
    )
  expect(shown({ openedAt: new Date(), phone: '+49 30 7654321' })).toBe(shown({}))
  expect(shown({ name: 'Somebody Else' })).not.toBe(shown({}))
})
