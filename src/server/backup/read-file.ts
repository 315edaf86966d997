import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import {
  END,
  type End,
  endSchema,
  entriesDigest,
  FORMAT,
  HEADER,
  type Header,
  headerSchema,
  WrongBackup,
} from './file-format.ts'

/** No entry that we write is nearly as large, in bytes. */
const LARGEST_ENTRY = 64 * 1024 * 1024

export interface Entry {
  name: string
  content: Buffer
}

/** A backup file that is being read. */
export interface Reading {
  header: Header
  /** All entries between header and end, in order; fails at their end when the checksum does not fit. */
  entries: AsyncGenerator<Entry, End>
}

/** Opens a backup file. Throws `WrongBackup` when it is none, or of a newer format. */
export async function readBackup(path: string): Promise<Reading> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new WrongBackup(`There is no file ${path}.`)
  if (!found.isFile()) throw new WrongBackup(`${path} is not a file.`)
  const all = entriesOf(path)
  const first = await all.next()
  if (first.done || first.value.name !== HEADER) throw notOurs(path)
  const header = readHeader(path, first.value.content)
  return { header, entries: checked(path, first.value, all) }
}

/** Reads the whole file and returns its header and end. Throws `WrongBackup` unless it is exactly as it was written. */
export async function checkBackup(path: string): Promise<{ header: Header; end: End }> {
  const { header, entries } = await readBackup(path)
  for (;;) {
    const next = await entries.next()
    if (next.done) return { header, end: next.value }
  }
}

function readHeader(path: string, content: Buffer): Header {
  const json = parse(content)
  const parsed = headerSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const { format } = typeof json === 'object' && json !== null && 'format' in json ? json : { format: 0 }
  if (typeof format === 'number' && format > FORMAT)
    throw new WrongBackup(`${path} was made by a newer version of Turnout: restore it with that version.`)
  throw notOurs(path)
}

async function* checked(path: string, first: Entry, rest: AsyncGenerator<Entry>): AsyncGenerator<Entry, End> {
  const digest = entriesDigest()
  digest.add(first.name, first.content)
  let end: End | null = null
  for await (const entry of rest) {
    if (end) throw changed(path)
    if (entry.name === END) {
      const parsed = endSchema.safeParse(parse(entry.content))
      if (!parsed.success || parsed.data.sha256 !== digest.result()) throw changed(path)
      end = parsed.data
      continue
    }
    digest.add(entry.name, entry.content)
    yield entry
  }
  if (!end) throw cut(path)
  return end
}

async function* entriesOf(path: string): AsyncGenerator<Entry> {
  const gunzip = createGunzip()
  const tar = extract()
  const reading = pipeline(createReadStream(path), gunzip, tar)
  // Its failure reaches us through the entries.
  reading.catch(() => {})
  try {
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header
      if (size > LARGEST_ENTRY) throw changed(path)
      const chunks: Buffer[] = []
      for await (const chunk of entry) chunks.push(chunk)
      yield { name, content: Buffer.concat(chunks) }
    }
    await reading
  } catch (error) {
    if (error instanceof WrongBackup) throw error
    const { code = '', message } =
      error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) }
    if (code === 'Z_BUF_ERROR' || message === 'Unexpected end of data') throw cut(path)
    if (code.startsWith('Z_') || message.startsWith('Invalid tar'))
      throw gunzip.bytesWritten < 20 ? notOurs(path) : changed(path)
    throw error
  }
  // Whatever stands behind the end is not ours.
  if (gunzip.bytesWritten !== (await stat(path)).size) throw changed(path)
}

function parse(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString())
  } catch {
    return null
  }
}

function notOurs(path: string): WrongBackup {
  return new WrongBackup(`${path} is not a backup made by Turnout.`)
}

function cut(path: string): WrongBackup {
  return new WrongBackup(
    `${path} is not complete: its end is missing. Nothing was restored; copy it again, or take another backup.`,
  )
}

function changed(path: string): WrongBackup {
  return new WrongBackup(
    `${path} is damaged: its content does not fit its checksum. Nothing was restored; copy it again, or take another backup.`,
  )
}
