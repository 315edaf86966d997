import type { StoredFile } from './image-store.ts'

/** With more than this share of all files without a row, something is wrong with the database or the folder. */
const LARGEST_SHARE = 0.2

/** Whether no row names the file's image. */
export function isOrphan(inUse: ReadonlySet<string>): (file: StoredFile) => boolean {
  const ids = new Set(Array.from(inUse, idOf))
  return ({ name }) => !ids.has(idOf(name))
}

/** Whether so many files have no row that crashes cannot be the cause. */
export function isTooMany(orphans: readonly StoredFile[], files: readonly StoredFile[]): boolean {
  return orphans.length > files.length * LARGEST_SHARE
}

/** The part of the name that all files of one image share: without width and format. */
function idOf(name: string): string {
  return name.slice(0, 32)
}
