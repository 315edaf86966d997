import { createHash } from 'node:crypto'
import { z } from 'zod'

/** Raised when older versions of Turnout could not read the file any more. */
export const FORMAT = 1
/** The first and the last entry of a file. */
export const HEADER = 'backup.json'
export const END = 'end.json'
/** Rows are stored in entries of at most about this size, in bytes, so that no table has to fit into memory. */
export const CHUNK_BYTES = 1024 * 1024

const table = z.object({ name: z.string(), columns: z.array(z.string()) })
const sequence = z.object({ name: z.string(), value: z.string().regex(/^\d+$/), isCalled: z.boolean() })

export const headerSchema = z.object({
  format: z.literal(FORMAT),
  /** Which Turnout made it, for people. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** Null in a database of a version that had none. */
  installationId: z.nullable(z.uuid()),
  /** What had been done in the database, in order: which schema the rows fit. */
  migrations: z.array(z.string()).min(1),
  /** In the order in which their rows follow. */
  tables: z.array(table),
  sequences: z.array(sequence),
})
export type Header = z.infer<typeof headerSchema>
export type TableShape = z.infer<typeof table>
export type SequenceState = z.infer<typeof sequence>

const content = z.object({ rows: z.number(), sha256: z.string() })

export const endSchema = z.object({
  /** For each table how many rows it has, and the SHA-256 of them as `COPY` writes them. */
  tables: z.record(z.string(), content),
  images: z.number(),
  /** SHA-256 of all entries before this one. */
  sha256: z.string(),
})
export type End = z.infer<typeof endSchema>
export type TableContent = z.infer<typeof content>

/** The file is no backup, or not as it was written, or not for this installation; the message says so to the operator. */
export class WrongBackup extends Error {
  override name = 'WrongBackup'
}

/** The name of an entry that holds rows of a table. */
export function rowsName(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(6, '0')}`
}

/** The table whose rows an entry holds; null for other entries. */
export function tableOf(entry: string): string | null {
  return /^tables\/(.+)\/\d+$/.exec(entry)?.[1] ?? null
}

export function imageEntry(name: string): string {
  return `images/${name}`
}

/** The image file that an entry holds; null for other entries. Names come from the file, so only our own are taken. */
export function imageOf(entry: string): string | null {
  return /^images\/([0-9a-f]{32}(?:-\d+)?\.(?:jpg|png|webp))$/.exec(entry)?.[1] ?? null
}

/** Sums up entries in their order, by name, size and content. */
export function entriesDigest() {
  const hash = createHash('sha256')
  return {
    add: (name: string, content: Buffer) => void hash.update(`${name} ${content.length}\n`).update(content),
    result: () => hash.digest('hex'),
  }
}

/** Counts and sums up rows in the text format of `COPY`, in which a line end always ends a row. */
export function rowsDigest() {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add: (chunk: Buffer) => {
      hash.update(chunk)
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows++
    },
    result: (): TableContent => ({ rows, sha256: hash.digest('hex') }),
  }
}
