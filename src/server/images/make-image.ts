import { randomBytes } from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import sharp, { type Sharp } from 'sharp'
import { Refusal } from '../../contract/errors.ts'
import type { ImageKind } from '../../contract/values/images.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Message } from '../../texts/language.ts'
import { makeTurns } from '../turns.ts'
import { variantName, widthsOf } from './image-files.ts'
import { type PictureFacts, tooLarge } from './image-limits.ts'
import type { ImageStore } from './image-store.ts'

// One picture at a time, on one thread: pictures never take more than one of the four threads that files and passwords use too.
sharp.concurrency(1)
sharp.cache(false)
const inTurn = makeTurns({ mostWaiting: 8, mostWaitingOfOne: 1 })
/** The longest that one picture may take. */
const LIMIT_SECONDS = 20

/** A picture that somebody has sent. */
export interface Upload {
  kind: ImageKind
  bytes: Buffer
  /** Path of the file in the input. */
  field: string
  /** The owner, so that one club cannot fill the queue. */
  owner: string
}

export interface StoredImage {
  file: string
  /** Its width divided by its height. */
  ratio: number
}

/**
 * Encodes an uploaded picture anew, in the sizes used, as JPEG or PNG and as WebP, without anything else that the file contained, stores it
 * and returns its file name and its shape. Refuses with INVALID_INPUT at `field` what is no JPEG or PNG by its content, or takes too much memory; with
 * TOO_MANY_TRIES or UNAVAILABLE while too many wait.
 */
export async function storeImage(store: ImageStore, { kind, bytes, field, owner }: Upload): Promise<StoredImage> {
  const type = await fileTypeFromBuffer(bytes)
  if (type?.mime !== 'image/jpeg' && type?.mime !== 'image/png') throw invalidImage(field, texts.jpegOrPng)
  // A logo keeps its transparent ground; photos are smaller as JPEG.
  const ending = kind === 'club-logo' ? 'png' : 'jpg'
  const file = `${randomBytes(16).toString('hex')}.${ending}`
  const { variants, ratio } = await inTurn(
    async () => {
      const large = tooLarge(await factsOf(bytes, field))
      if (large !== null) throw invalidImage(field, large)
      return encode(bytes, kind, file).catch(() => {
        throw unreadable(field)
      })
    },
    { owner },
  )
  for (const { name, content } of variants) await store.put(name, content)
  return { file, ratio }
}

/** The properties in the file's header. */
async function factsOf(bytes: Buffer, field: string): Promise<PictureFacts> {
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw unreadable(field)
    })
  const { format, width, height, channels, depth, isProgressive = false } = header
  return { format, width, height, channels, bits: depth === 'uchar' ? 8 : 16, isProgressive }
}

async function encode(bytes: Buffer, kind: ImageKind, file: string) {
  const [largest = 0] = widthsOf(kind)
  // Decoded once, and a JPEG reduced while it is read: all sizes are made of what comes out here.
  const image = sharp(bytes, { limitInputPixels: false, failOn: 'error' }).autoOrient()
  const { data, info } = await resized(image, kind, largest)
    .timeout({ seconds: LIMIT_SECONDS })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const variants: { name: string; content: Buffer }[] = []
  for (const width of widthsOf(kind)) {
    const small = resized(sharp(data, { raw: info }), kind, width)
    const plain = file.endsWith('.png')
      ? small.clone().png({ compressionLevel: 9 })
      : small.clone().flatten({ background: '#fff' }).jpeg({ quality: 82, mozjpeg: true })
    variants.push({ name: variantName(file, kind, width, false), content: await plain.toBuffer() })
    variants.push({
      name: variantName(file, kind, width, true),
      content: await small.clone().webp({ quality: 80 }).toBuffer(),
    })
  }
  return { variants, ratio: info.width / info.height }
}

function resized(image: Sharp, kind: ImageKind, width: number): Sharp {
  if (kind === 'user') return image.resize(width, width, { fit: 'cover' })
  // Keeps the aspect ratio; no side is longer than this.
  return image.resize(width, width, { fit: 'inside', withoutEnlargement: true })
}

function unreadable(field: string): Refusal {
  return invalidImage(field, texts.unreadableImage)
}

function invalidImage(field: string, msg: Message): Refusal {
  return new Refusal('INVALID_INPUT', { fields: [{ path: field, msg }] })
}
