import { randomBytes } from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { Refusal } from '../../contract/errors.ts'
import type { ImageKind } from '../../contract/images.ts'
import type { ImageStore } from './image-store.ts'

// On one thread each, and no copies kept: decoding a large picture takes a core for a second and 200 MB.
sharp.concurrency(1)
sharp.cache(false)
/** Larger ones are refused before they are decoded: a small file can claim to be enormous. */
const MOST_PIXELS = 50_000_000

/** At which widths each kind is shown; the largest also is the plain file. */
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

/**
 * Stores an uploaded picture anew, at the sizes used, as itself and as WebP, without anything else that the file carried,
 * and answers its file name. Refuses with INVALID_INPUT at `field` what is no JPEG or PNG by its content.
 */
export async function storeImage(store: ImageStore, kind: ImageKind, bytes: Buffer, field: string): Promise<string> {
  const type = await fileTypeFromBuffer(bytes)
  if (type?.mime !== 'image/jpeg' && type?.mime !== 'image/png') throw wrongImage(field, 'Choose a JPEG or PNG image.')
  // A logo keeps its transparent ground; photos are smaller as JPEG.
  const ending = kind === 'club-logo' ? 'png' : 'jpg'
  const file = `${randomBytes(16).toString('hex')}.${ending}`
  const variants = await encode(bytes, kind, file).catch(() => {
    throw wrongImage(field, 'This image cannot be read. Please choose another one.')
  })
  for (const { name, content } of variants) await store.put(name, content)
  return file
}

async function encode(bytes: Buffer, kind: ImageKind, file: string) {
  const variants: { name: string; content: Buffer }[] = []
  for (const width of widths[kind]) {
    const image = resized(bytes, kind, width)
    const plain = file.endsWith('.png')
      ? image.clone().png({ compressionLevel: 9 })
      : image.clone().flatten({ background: '#fff' }).jpeg({ quality: 82, mozjpeg: true })
    variants.push({ name: variantName(file, kind, width, false), content: await plain.toBuffer() })
    variants.push({
      name: variantName(file, kind, width, true),
      content: await image.clone().webp({ quality: 80 }).toBuffer(),
    })
  }
  return variants
}

function resized(bytes: Buffer, kind: ImageKind, width: number) {
  const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' }).autoOrient()
  if (kind === 'user') return image.resize(width, width, { fit: 'cover' })
  // In its true ratio, and no side longer than this.
  return image.resize(width, width, { fit: 'inside', withoutEnlargement: true })
}

/** Takes an image's files away, once no row names it any more. */
export async function removeImage(store: ImageStore, kind: ImageKind, file: string): Promise<void> {
  if (!isImageFile(file)) return
  for (const width of widths[kind])
    for (const isWebp of [false, true]) await store.remove(variantName(file, kind, width, isWebp))
}

function wrongImage(field: string, msg: string): Refusal {
  return new Refusal('INVALID_INPUT', { fields: [{ path: field, msg }] })
}
