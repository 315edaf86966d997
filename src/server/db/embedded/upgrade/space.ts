import { readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A new, empty database with its log of changes, in bytes. */
const EMPTY = 200 * 1024 ** 2
/** The copy is smaller, since it has no gaps; sorting its indexes needs some room. */
const SHARE = 1.2

/** Throws when the disk has too little room for a copy of this data. */
export function checkSpace(data: string): void {
  const needed = Math.ceil(sizeOf(data) * SHARE) + EMPTY
  const { bavail, bsize } = statfsSync(data)
  const free = bavail * bsize
  if (free < needed)
    throw new Error(
      `the disk has too little room: the copy needs up to ${megabytes(needed)} MB below ${data}, and ${megabytes(free)} MB are free`,
    )
}

/** What the files of a data folder take up, in bytes, without the log of changes, which is not copied. */
function sizeOf(data: string): number {
  const names = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('pg_wal/'))
  const sizes = names.map((name) => statSync(join(data, name), { throwIfNoEntry: false })?.size ?? 0)
  return sizes.reduce((sum, size) => sum + size, 0)
}

function megabytes(bytes: number): string {
  return Math.ceil(bytes / 1_000_000).toLocaleString('en')
}
