import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { END, type End, entriesDigest, HEADER, type Header } from './file-format.ts'

/** Adds an entry to the file, and waits until there is room for the next. */
export type AddEntry = (name: string, content: Buffer) => Promise<void>

interface Writing {
  path: string
  header: Header
  /** Adds all entries, and returns what the last one says of them. */
  fill: (add: AddEntry) => Promise<Omit<End, 'sha256'>>
  signal: AbortSignal | undefined
}

/**
 * Writes a backup file: a gzipped tar of a header, rows, images and an end with a checksum of them all. It has its name only once it is complete
 * and on the disk; until then it is called `.part`, and is removed when something fails.
 */
export async function writeBackup({ path, header, fill, signal }: Writing): Promise<End> {
  const part = `${path}.part-${process.pid}`
  try {
    const tar = pack()
    const file = createWriteStream(part, { flags: 'wx', mode: 0o600 })
    const writing = pipeline(tar, createGzip(), file, { ...(signal && { signal }) })
    // It is awaited below; until then its failure reaches us through the entries.
    writing.catch(() => {})
    const mtime = new Date(header.createdAt)
    const digest = entriesDigest()
    const put: AddEntry = (name, content) =>
      new Promise((resolve, reject) => {
        const written = (error?: Error | null) => (error ? reject(error) : resolve())
        tar.entry({ name, size: content.length, mode: 0o600, mtime }, written).end(content)
      })
    const add: AddEntry = (name, content) => {
      digest.add(name, content)
      return put(name, content)
    }
    let end: End
    try {
      await add(HEADER, json(header))
      end = { ...(await fill(add)), sha256: digest.result() }
      await put(END, json(end))
    } catch (error) {
      tar.destroy(error instanceof Error ? error : new Error(String(error)))
      // When the disk is full, that is the cause, and the entry's failure only follows from it.
      await writing
      throw error
    }
    tar.finalize()
    await writing
    await sync(part, 'r+')
    await rename(part, path)
    // So that the name, too, survives a power cut. Some file systems cannot do it.
    await sync(dirname(path), 'r').catch(() => {})
    return end
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
}

async function sync(path: string, flags: string): Promise<void> {
  const file = await open(path, flags)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
