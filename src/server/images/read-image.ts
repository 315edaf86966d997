import type { ImageKind } from '../../contract/values/images.ts'
import type { Deps } from '../deps.ts'
import { variantName, widthsOf } from './image-files.ts'
import { isImageInUse } from './queries.ts'

interface Wanted {
  kind: ImageKind
  /** The image's name as stored in rows. */
  file: string
  /** Null for the largest. */
  width?: number | null
  isWebp?: boolean
}

/**
 * The bytes of an image's file; null when there is none. A removed file that a row names again, as after a restored backup, is restored;
 * one that no row names stays unreadable.
 */
export async function readImage(
  { db, images }: Pick<Deps, 'db' | 'images'>,
  { kind, file, width = null, isWebp = false }: Wanted,
): Promise<Buffer | null> {
  const name = variantName(file, kind, width, isWebp)
  const content = await images.get(name)
  if (content) return content
  if (!(await images.isRestorable(name)) || !(await isImageInUse(db, file))) return null
  await images.restore(name)
  return images.get(name)
}

/**
 * Whether an image's file was made as one of this kind: each is served at the address of its own kind alone. Only logos are PNG files, and
 * only banners have a smaller width.
 */
export async function isOfKind(deps: Pick<Deps, 'db' | 'images'>, kind: ImageKind, file: string): Promise<boolean> {
  if (file.endsWith('.png') !== (kind === 'club-logo')) return false
  if (kind === 'club-logo') return true
  const width = widthsOf('event-banner').at(-1) ?? null
  const isBanner = (await readImage(deps, { kind: 'event-banner', file, width })) !== null
  return isBanner === (kind === 'event-banner')
}
