import type { ImageKind } from '../../contract/values/images.ts'
import type { ImageStore } from './image-store.ts'

/** The widths of each kind; the plain file has the largest. */
const widths: Readonly<Record<ImageKind, readonly number[]>> = {
  user: [256],
  'club-logo': [512],
  'event-banner': [1600, 800],
}

/** The name of a stored file: the image's own, its width unless the largest, its format. */
export function variantName(file: string, kind: ImageKind, width: number | null, isWebp: boolean): string {
  const [id = '', ending = ''] = file.split('.')
  const size = width === null || width === widths[kind][0] ? '' : `-${width}`
  return `${id}${size}.${isWebp ? 'webp' : ending}`
}

/** The widths of a kind, largest first. */
export function widthsOf(kind: ImageKind): readonly number[] {
  return widths[kind]
}

/** Whether this is the name of a file that we made. */
export function isImageFile(file: string): boolean {
  return /^[0-9a-f]{32}\.(jpg|png)$/.test(file)
}

/** Removes an image's files, once no row names it any more. */
export async function removeImage(store: ImageStore, kind: ImageKind, file: string): Promise<void> {
  if (!isImageFile(file)) return
  for (const width of widths[kind])
    for (const isWebp of [false, true]) await store.remove(variantName(file, kind, width, isWebp))
}

/** The names that an image's files can have, whatever its kind. */
export function possibleNames(file: string): string[] {
  return [null, ...widths['event-banner'].slice(1)].flatMap((width) =>
    [false, true].map((isWebp) => variantName(file, 'event-banner', width, isWebp)),
  )
}
