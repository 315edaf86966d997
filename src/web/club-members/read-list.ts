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

/** Thrown with a message for people when a file cannot be read. */
export class Unreadable extends Error {}

/** Reads a spreadsheet (.xlsx) or a file with commas, semicolons or tabs (.csv). The parser is loaded for it. */
export async function rowsOf(file: File): Promise<Rows> {
  if (file.size > LARGEST_FILE) throw new Unreadable(texts.tooLarge())
  const bytes = new Uint8Array(await file.arrayBuffer())
  // A spreadsheet is a ZIP archive, whatever its name says.
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b
  try {
    const cells = isArchive
      ? ((await (await import('hucre/xlsx')).readXlsx(bytes)).sheets[0]?.rows ?? [])
      : (await import('hucre/csv')).parseCsv(textIn(bytes))
    return cells
      .map((row) => row.map((cell) => (cell === null || cell === undefined ? '' : String(cell).trim())))
      .filter((row) => row.some((cell) => cell !== ''))
  } catch {
    throw new Unreadable(texts.unreadable())
  }
}

/** Excel saves files with commas in the encoding of the computer; most other programs in UTF-8. */
function textIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const isAddress = (cell: string) => z.safeParse(emailSchema, cell).success
const numberHeads = /nummer|number|numéro|numero|número|mitglied|member|membre|soci|\bnr\b|\bno\b|\bid\b/i

/** Whether the first row has the names of the columns: the only one without an address where others have one, or without a digit. */
export function hasHeads(rows: Rows): boolean {
  const [first, ...others] = rows
  if (!first || others.length === 0) return false
  if (first.some(isAddress)) return false
  return !first.some((cell) => /\d/.test(cell))
}

/** The columns that look like numbers and addresses of members. */
export function guessColumns(rows: Rows): Columns {
  const body = hasHeads(rows) ? rows.slice(1) : rows
  const columns = Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, index) => index)
  const share = (index: number, is: (cell: string) => boolean) =>
    body.filter((row) => is(row[index] ?? '')).length / Math.max(1, body.length)
  // The one with the most addresses, however few have one.
  const [email = null] = columns
    .filter((index) => share(index, isAddress) > 0)
    .sort((one, other) => share(other, isAddress) - share(one, isAddress))
  const named = hasHeads(rows)
    ? columns.find((index) => index !== email && numberHeads.test(rows[0]?.[index] ?? ''))
    : undefined
  const likely = columns.find(
    (index) => index !== email && share(index, (cell) => /^[\p{L}]{0,4}[\s./-]?\d+$/u.test(cell)) > 0.5,
  )
  return { number: named ?? likely ?? null, email }
}

/** The members in these columns. Rows count from 1, as spreadsheets show them. */
export function membersIn(rows: Rows, { number, email }: Columns): ReadList {
  const read: ReadList = { members: [], repeated: 0, refused: [] }
  const known = new Set<string>()
  const start = hasHeads(rows) ? 1 : 0
  for (const [index, row] of rows.slice(start).entries()) {
    const member = {
      number: number === null ? '' : (row[number] ?? ''),
      email: email === null ? '' : (row[email] ?? ''),
    }
    const why = whyNot(member)
    if (why) {
      read.refused.push({ row: index + start + 1, why })
      continue
    }
    const keys = [memberKey(member.number), memberKey(member.email)].filter((key) => key !== null)
    if (keys.some((key) => known.has(key))) read.repeated++
    for (const key of keys) known.add(key)
    read.members.push(member)
  }
  return read
}

function whyNot({ number, email }: Member): Message | null {
  if (number === '' && email === '') return texts.rowEmpty
  if (email !== '' && !isAddress(email)) return texts.rowAddress
  return number.length > 60 ? texts.rowLong : null
}
