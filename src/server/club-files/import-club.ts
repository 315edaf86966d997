import { Readable } from 'node:stream'
import { logChange } from '../db/changes.ts'
import type { ClubImportRow, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { ImageStore } from '../images/image-store.ts'
import { lockClub } from '../records/club-queries.ts'
import { clubColumns } from './club-columns.ts'
import type { ClubTable } from './club-table.ts'
import type { Field } from './fields.ts'
import { CLUB, PICTURE, pictureSchema, WrongClubFile } from './file-format.ts'
import * as queries from './import-queries.ts'
import { type MovedIds, makeMovedIds, numbered } from './moved-ids.ts'
import { type Line, readLines } from './read-lines.ts'
import { clubTables } from './tables.ts'

/** So many rows are inserted at once, and so many characters of them. */
const PORTION = 500
const PORTION_SIZE = 1_000_000
/** A club has a logo, a cover and a banner for each event. */
const MOST_PICTURES = 1_000

/** The image library is large, so it is loaded with the first picture. */
const storing = () => import('../images/make-image.ts')

/** How long one may take, in ms: nobody else's import begins meanwhile. */
const LONGEST_MS = 30 * 60_000

/** Imports a file, in one transaction: all of it, or nothing. */
export async function importFile({ now, images, log }: Deps, tx: Tx, { clubId, key, parts, userId }: ClubImportRow) {
  if (!(await lockClub(tx, clubId))) return
  const file = await queries.lockImport(tx, clubId)
  // Dropped since.
  if (file?.state !== 'waiting' || file.key !== key) return
  if (await queries.hasEvents(tx, clubId)) throw new WrongClubFile('not empty', 'The club has events.')
  await queries.beginRows(tx)
  const counts = await readFile(images, tx, { clubId, parts })
  const change = { clubId, userId, subject: 'club' as const, subjectId: clubId, action: 'imported' }
  await logChange(tx, now(), change)
  await queries.endRows(tx)
  await queries.endImport(tx, clubId, { state: 'done', reason: null, counts, endedAt: now() })
  log.info({ clubId, counts }, 'club file read')
}

interface Reading {
  clubId: number
  ids: MovedIds
  /** The new names of the pictures, by their names in the file. */
  pictures: Map<string, string>
  /** The new numbers of orders, by those in the file. */
  orders: Map<number, number>
  /** The highest ticket price of each event, by its new number. */
  highestPrices: Map<number, number>
  counts: Record<string, number>
}

async function readFile(
  images: ImageStore,
  tx: Tx,
  { clubId, parts }: { clubId: number; parts: number },
): Promise<Record<string, number>> {
  const begun = Date.now()
  const ids = makeMovedIds(numbered, (of, count) => queries.takeIds(tx, of, count))
  const reading: Reading = {
    clubId,
    ids,
    pictures: new Map(),
    orders: new Map(),
    highestPrices: new Map(),
    counts: { images: 0 },
  }
  let at = -1
  for await (const lines of portionsOf(readLines(Readable.from(queries.readParts(tx, clubId, parts))))) {
    const [{ kind }] = lines
    if (Date.now() - begun > LONGEST_MS) throw new WrongClubFile('not possible', 'It takes too long.')
    if (kind === PICTURE) for (const { content } of lines) await storePicture(images, content, reading)
    else if (kind === CLUB) for (const { content } of lines) await storeClub(tx, content, reading)
    else {
      const place = clubTables.findIndex(({ name }) => name === kind)
      const table = clubTables[place]
      if (!table || place < at) throw new WrongClubFile('damaged', 'Its tables are not in their order.')
      at = place
      await storeRows(tx, table, lines, reading)
    }
  }
  ids.check()
  await storeFormerIds(tx, reading)
  await queries.countRows(tx, clubId, reading.highestPrices)
  if (await queries.hasEventWithoutTickets(tx, clubId))
    throw new WrongClubFile('damaged', 'An event has no ticket type.')
  if (await queries.hasWrongPrices(tx, clubId))
    throw new WrongClubFile('damaged', 'A price is not that of a ticket type.')
  if (await queries.hasRowsOfAnotherEvent(tx, clubId))
    throw new WrongClubFile('damaged', 'A registration has a check-in, payment, voucher or order of another event.')
  return reading.counts
}

/** Lines of one kind that follow each other, at most `PORTION` at once, and not many characters. */
async function* portionsOf(lines: AsyncIterable<Line>): AsyncGenerator<[Line, ...Line[]]> {
  let portion: [Line, ...Line[]] | null = null
  let size = 0
  for await (const line of lines) {
    size += line.size
    if (portion && portion[0].kind === line.kind && portion.length < PORTION && size <= PORTION_SIZE) portion.push(line)
    else {
      if (portion) yield portion
      portion = [line]
      size = line.size
    }
  }
  if (portion) yield portion
}

async function storePicture(
  images: ImageStore,
  content: unknown,
  { clubId, pictures, counts }: Reading,
): Promise<void> {
  const picture = pictureSchema.safeParse(content)
  if (!picture.success) throw new WrongClubFile('damaged', 'A picture is not readable.')
  const { name, kind, content: base64 } = picture.data
  if (pictures.has(name) || pictures.size >= MOST_PICTURES)
    throw new WrongClubFile('damaged', 'It has too many pictures.')
  const { storeImage } = await storing()
  // It is encoded anew, as any picture that somebody sends. What no row names in the end is swept away.
  const bytes = Buffer.from(base64, 'base64')
  const { file } = await storeImage(images, { kind, bytes, field: 'picture', owner: `club ${clubId}` })
  pictures.set(name, file)
  counts.images = (counts.images ?? 0) + 1
}

async function storeClub(tx: Tx, content: unknown, reading: Reading): Promise<void> {
  const row = readRow(CLUB, clubColumns, content, reading.ids)
  const picture = (name: unknown) => reading.pictures.get(String(name)) ?? ''
  await queries.storeClub(tx, reading.clubId, { ...row, logo: picture(row.logo), cover: picture(row.cover) })
}

async function storeRows(tx: Tx, table: ClubTable, lines: readonly Line[], reading: Reading): Promise<void> {
  const { clubId, ids, counts } = reading
  const rows = await ids.convert(() =>
    lines.flatMap(({ content }) => {
      const row = readRow(table.name, table.columns, content, ids)
      const complete = table.complete ? table.complete(row, { clubId, ids }) : row
      return complete === null ? [] : [complete]
    }),
  )
  const [first] = rows
  if (!first) return
  const isEvents = table.name === 'events'
  const stored = isEvents
    ? rows.map((row) => ({ ...row, banner: reading.pictures.get(String(row.banner)) ?? '' }))
    : rows
  await queries.insertRows(tx, table.into ?? table.name, Object.keys(first), stored)
  counts[table.name] = (counts[table.name] ?? 0) + rows.length
  if (table.name === 'orders') noteOrders(lines, rows, reading)
  if (!isEvents) return
  await queries.dropFirstTypes(tx, clubId)
  for (const { id, ticket_price_to } of rows) reading.highestPrices.set(Number(id), Number(ticket_price_to))
}

function readRow(
  table: string,
  columns: Readonly<Record<string, Field>>,
  content: unknown,
  ids: MovedIds,
): Record<string, unknown> {
  if (typeof content !== 'object' || content === null)
    throw new WrongClubFile('damaged', `A row of ${table} is not readable.`)
  const given = new Map(Object.entries(content))
  for (const name of given.keys())
    if (!Object.hasOwn(columns, name))
      throw new WrongClubFile('newer', `A row of ${table} has a column that is not known here.`)
  return Object.fromEntries(
    Object.entries(columns).map(([name, read]) => {
      try {
        return [name, read(given.get(name), ids)]
      } catch (error) {
        if (error instanceof WrongClubFile) throw error
        throw new WrongClubFile('damaged', `${table}.${name} does not fit.`)
      }
    }),
  )
}

/** The number of an order is that of a registration which may be gone. */
function noteOrders(lines: readonly Line[], rows: readonly Record<string, unknown>[], { orders }: Reading): void {
  for (const [at, { content }] of lines.entries())
    if (typeof content === 'object' && content !== null && 'id' in content)
      orders.set(Number(content.id), Number(rows[at]?.id))
}

async function storeFormerIds(tx: Tx, { clubId, ids, orders }: Reading): Promise<void> {
  const tickets = [...ids.all('registrations')]
  const vouchers = [...ids.all('extras_purchases')]
  for (const [kind, all] of [
    ['ticket', tickets],
    ['order', [...orders]],
    ['voucher', vouchers],
  ] as const)
    for (let at = 0; at < all.length; at += 5_000) {
      const some = all.slice(at, at + 5_000).filter(([former, current]) => former !== current)
      const [former, current] = [some.map(([each]) => each), some.map(([, each]) => each)]
      if (some.length > 0) await queries.storeFormerIds(tx, clubId, { kind, former, current })
    }
}
