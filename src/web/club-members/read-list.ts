import * as z from 'zod/mini'
import { type Member, memberKey } from '../../contract/club-members.ts'
import { email as emailSchema } from '../../contract/values/fields.ts'
import * as texts from '../../texts/generated/members.ts'
import type { Message } from '../../texts/language.ts'

/** The cells of a sheet, as text. */
export type Rows = readonly (readonly string[])[]

/** Which columns have the numbers and the addresses, counted from 0; null for none. */
export interface Columns {
  number: number | null
  email: number | null
}

/** What a list has: the members, and the rows that are none with the reason. */
export interface ReadList {
  members: Member[]
  /** Rows with a number or an address that an earlier one has. */
  repeated: number
  refused: { row: number; why: Message }[]
}

const LARGEST_FILE = 5 * 1024 * 1024
/** More rows than any list may have, so that a wrong file does not stop the browser. */
const MOST_ROWS = 100_000

/** Thrown with a message for people when a file cannot be read. */
export class Unreadable extends Error {}

/** Reads a spreadsheet (.xlsx) or a file with commas, semicolons or tabs (.csv). The parser is loaded for it. Blank rows stay, so that rows count as in the file. */
export async function rowsOf(file: File): Promise<Rows> {
  if (file.size > LARGEST_FILE) throw new Unreadable(texts.tooLarge())
  const bytes = new Uint8Array(
    await file.arrayBuffer().catch(() => {
      throw new Unreadable(texts.unreadable())
    }),
  )
  const parse = await parserOf(bytes)
  const cells = await parse().catch(() => {
    throw new Unreadable(texts.unreadable())
  })
  if (cells.length > MOST_ROWS) throw new Unreadable(texts.tooLarge())
  return cells.map((row) => row.map(textOf))
}

type Cells = readonly (readonly unknown[])[]

async function parserOf(bytes: Uint8Array): Promise<() => Promise<Cells>> {
  const startsWith = (...start: number[]) => start.every((byte, index) => bytes[index] === byte)
  // Spreadsheets of before 2007, and encrypted ones.
  if (startsWith(0xd0, 0xcf, 0x11, 0xe0)) throw new Unreadable(texts.unreadable())
  try {
    // A spreadsheet is a ZIP archive, whatever its name says.
    if (startsWith(0x50, 0x4b)) {
      const { readXlsx } = await import('hucre/xlsx')
      return async () => (await readXlsx(bytes)).sheets[0]?.rows ?? []
    }
    const { parseCsv } = await import('hucre/csv')
    return async () => parseCsv(textIn(bytes))
  } catch {
    throw new Unreadable(texts.noConnection())
  }
}

/** What spreadsheets take for a date is no number of a member. */
function textOf(cell: unknown): string {
  if (cell instanceof Date) return DATE
  return cell === null || cell === undefined ? '' : String(cell).trim()
}
const DATE = '\u0000'

/** Excel saves files in UTF-16, or with commas in the encoding of the computer; most other programs in UTF-8. */
function textIn(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const isAddress = (cell: string) => z.safeParse(emailSchema, cell).success
const memberHeads = /mitglied|member|membre|soci/i
const numberHeads = /nummer|number|num[eé]ro|número|\bnr\b|\bno\b|\bid\b/i
const otherHeads = /tel|phone|haus|house|seit|since|datum|date|plz|post|zip/i

/** The first row that is not blank. */
const startOf = (rows: Rows) =>
  Math.max(
    0,
    rows.findIndex((row) => row.some((cell) => cell !== '')),
  )

/** The names of the columns, if the first row has them: it has no address and no digit. */
export function headsOf(rows: Rows): readonly string[] | null {
  const first = rows[startOf(rows)]
  if (!first || rows.length < 2) return null
  return first.some((cell) => isAddress(cell) || /\d/.test(cell)) ? null : first
}

/** How many columns the widest row has. */
export const columnsOf = (rows: Rows): number => rows.reduce((most, row) => Math.max(most, row.length), 0)

/** The columns that look like numbers and addresses of members. */
export function guessColumns(rows: Rows): Columns {
  const heads = headsOf(rows)
  const body = rows.slice(startOf(rows) + (heads ? 1 : 0))
  const columns = Array.from({ length: columnsOf(rows) }, (_, index) => index)
  const share = (index: number, is: (cell: string) => boolean) =>
    body.filter((row) => is(row[index] ?? '')).length / Math.max(1, body.filter((row) => row[index]).length)
  // The one with the most addresses, however few have one.
  const [email = null] = columns
    .filter((index) => share(index, isAddress) > 0)
    .sort((one, other) => share(other, isAddress) - share(one, isAddress))
  const head = (index: number) => heads?.[index] ?? ''
  const others = columns.filter((index) => index !== email && !otherHeads.test(head(index)))
  const number =
    others.find((index) => memberHeads.test(head(index)) && numberHeads.test(head(index))) ??
    others.find((index) => memberHeads.test(head(index)) || numberHeads.test(head(index))) ??
    others.find((index) => share(index, (cell) => /^[\p{L}]{0,4}[\s./-]?\d+$/u.test(cell)) > 0.5)
  return { number: number ?? null, email }
}

/** The members in these columns. Rows count from 1, as spreadsheets show them. */
export function membersIn(rows: Rows, { number, email }: Columns): ReadList {
  const read: ReadList = { members: [], repeated: 0, refused: [] }
  const known = new Set<string>()
  const start = startOf(rows) + (headsOf(rows) ? 1 : 0)
  for (const [index, row] of rows.entries()) {
    if (index < start || row.every((cell) => cell === '')) continue
    const cell = (column: number | null) => (column === null ? '' : (row[column] ?? ''))
    const [typed, address] = [cell(number), cell(email)]
    const why = whyNot(typed, address)
    if (why) read.refused.push({ row: index + 1, why })
    const member = { number: isNumber(typed) ? typed : '', email: isAddress(address) ? address : '' }
    const key = memberKey(member.number) ?? memberKey(member.email)
    // A number is enough, whatever is wrong with the address.
    if (key === null) continue
    if (known.has(key)) read.repeated++
    known.add(key)
    read.members.push(member)
  }
  return read
}

const isNumber = (cell: string) => cell !== '' && cell !== DATE && cell.length <= 60

function whyNot(number: string, address: string): Message | null {
  if (number === DATE) return texts.rowDate
  if (number.length > 60) return texts.rowLong
  if (address !== '' && !isAddress(address)) return number === '' ? texts.rowAddress : texts.rowOnlyNumber
  return number === '' && address === '' ? texts.rowEmpty : null
}
