import { Readable } from 'node:stream'
import { core } from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { logChange } from '../db/changes.ts'
import type { JobRow, Tx } from '../db/schema.ts'
import { isAboutValues, isTaken } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import type { StepResult } from '../jobs/step.ts'
import { lockClub } from '../records/club-queries.ts'
import { clubColumns } from './club-columns.ts'
import type { ClubTable } from './club-table.ts'
import type { Field } from './fields.ts'
import { CLUB, PICTURE, pictureSchema, WrongClubFile } from './file-format.ts'
import * as queries from './import-queries.ts'
import { type MovedIds, makeMovedIds, numbered } from './moved-ids.ts'
import { type Line, readLines } from './read-lines.ts'
import { clubTables } from './tables.ts'

/** So many rows are inserted at once. */
const PORTION = 500

/** The image library is large, so it is loaded with the first picture. */
const storing = () => import('../images/make-image.ts')

/** Takes in a club's file that has come completely, in one transaction: all of it, or nothing with the reason. */
export async function importClubStep(tx: Tx, now: Date, { clubId }: JobRow, deps: Deps): Promise<StepResult> {
  if (clubId === null || !(await lockClub(tx, clubId))) return { isDone: true }
  const file = await queries.lockImport(tx, clubId)
  if (file?.state !== 'waiting') return { isDone: true }
  const end = { endedAt: now, reason: null, counts: null }
  if (await queries.hasEvents(tx, clubId)) {
    await queries.endImport(tx, clubId, { ...end, state: 'failed', reason: 'not empty' })
    return { isDone: true }
  }
  await queries.beginRows(tx)
  try {
    const counts = await readFile(deps, tx, { clubId, parts: file.parts })
    await queries.endImport(tx, clubId, { ...end, state: 'done', counts })
    const change = { clubId, userId: file.userId, subject: 'club' as const, subjectId: clubId, action: 'imported' }
    await queries.endRows(tx)
    await logChange(tx, now, change)
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === null) throw error
    // Nothing of the file is in the message.
    deps.log.warn(
      { clubId, reason, why: error instanceof WrongClubFile ? error.message : describeError(error).code },
      'club file refused',
    )
    await queries.undoRows(tx)
    await queries.endImport(tx, clubId, { ...end, state: 'failed', reason })
  }
  return { isDone: true }
}

/** Why a file cannot come in; null for what may pass when it is tried again. */
function reasonOf(error: unknown) {
  if (error instanceof WrongClubFile) return error.reason
  if (error instanceof core.$ZodError) return 'damaged'
  if (error instanceof Refusal) return error.code === 'INVALID_INPUT' ? 'damaged' : null
  if (isTaken(error)) return 'here already'
  return isAboutValues(error) ? 'damaged' : null
}

interface Reading {
  clubId: number
  ids: MovedIds
  /** The new names of the pictures, by their names in the file. */
  pictures: Map<string, string>
  /** The highest ticket price of each event, by its new number. */
  highestPrices: Map<number, number>
  counts: Record<string, number>
}

async function readFile(
  deps: Deps,
  tx: Tx,
  { clubId, parts }: { clubId: number; parts: number },
): Promise<Record<string, number>> {
  const ids = makeMovedIds(numbered, (of, count) => queries.takeIds(tx, of, count))
  const reading: Reading = { clubId, ids, pictures: new Map(), highestPrices: new Map(), counts: { images: 0 } }
  let at = -1
  for await (const lines of portionsOf(readLines(Readable.from(queries.readParts(tx, clubId, parts))))) {
    const [{ kind }] = lines
    if (kind === PICTURE) for (const { content } of lines) await storePicture(deps, content, reading)
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
  return reading.counts
}

/** Lines of one kind that follow each other, at most `PORTION` at once. */
async function* portionsOf(lines: AsyncIterable<Line>): AsyncGenerator<[Line, ...Line[]]> {
  let portion: [Line, ...Line[]] | null = null
  for await (const line of lines) {
    if (portion && portion[0].kind === line.kind && portion.length < PORTION) portion.push(line)
    else {
      if (portion) yield portion
      portion = [line]
    }
  }
  if (portion) yield portion
}

async function storePicture(deps: Deps, content: unknown, { clubId, pictures, counts }: Reading): Promise<void> {
  const picture = pictureSchema.safeParse(content)
  if (!picture.success) throw new WrongClubFile('damaged', 'A picture is not readable.')
  const { name, kind, content: base64 } = picture.data
  const { storeImage } = await storing()
  // It is encoded anew, as any picture that somebody sends. What no row names in the end is swept away.
  const bytes = Buffer.from(base64, 'base64')
  const { file } = await storeImage(deps.images, { kind, bytes, field: 'picture', owner: `club ${clubId}` })
  pictures.set(name, file)
  counts.images = (counts.images ?? 0) + 1
}

async function storeClub(tx: Tx, content: unknown, reading: Reading): Promise<void> {
  const row = readRow(clubColumns, content, reading.ids)
  const picture = (name: unknown) => reading.pictures.get(String(name)) ?? ''
  const { descriptions, ...plain } = row
  await queries.storeClub(tx, reading.clubId, {
    ...plain,
    descriptions,
    logo: picture(row.logo),
    cover: picture(row.cover),
  })
}

async function storeRows(tx: Tx, table: ClubTable, lines: readonly Line[], reading: Reading): Promise<void> {
  const { clubId, ids, counts } = reading
  const rows = await ids.convert(() =>
    lines.flatMap(({ content }) => {
      const row = readRow(table.columns, content, ids)
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
  if (!isEvents) return
  await queries.dropFirstTypes(tx, clubId)
  for (const { id, ticket_price_to } of rows) reading.highestPrices.set(Number(id), Number(ticket_price_to))
}

function readRow(columns: Readonly<Record<string, Field>>, content: unknown, ids: MovedIds): Record<string, unknown> {
  if (typeof content !== 'object' || content === null) throw new WrongClubFile('damaged', 'A row is not readable.')
  const given = new Map(Object.entries(content))
  for (const name of given.keys())
    if (!Object.hasOwn(columns, name)) throw new WrongClubFile('newer', 'A row has a column that is not known here.')
  return Object.fromEntries(Object.entries(columns).map(([name, read]) => [name, read(given.get(name), ids)]))
}

async function storeFormerIds(tx: Tx, { clubId, ids }: Reading): Promise<void> {
  const tickets = [...ids.all('registrations')]
  const vouchers = [...ids.all('extras_purchases')]
  for (const [kind, all] of [
    ['ticket', tickets],
    ['order', tickets],
    ['voucher', vouchers],
  ] as const)
    for (let at = 0; at < all.length; at += 5_000) {
      const some = all.slice(at, at + 5_000).filter(([former, current]) => former !== current)
      const [former, current] = [some.map(([each]) => each), some.map(([, each]) => each)]
      if (some.length > 0) await queries.storeFormerIds(tx, clubId, { kind, former, current })
    }
}
