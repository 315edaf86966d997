import { Refusal } from '../../contract/errors.ts'
import type { ImageKind } from '../../contract/values/images.ts'
import type { Deps } from '../deps.ts'
import { describeError, isUnavailable } from '../describe-error.ts'

import { removeImage } from './image-files.ts'

/** The image library is large, so it is loaded with the first upload. */
const storing = () => import('./make-image.ts')

/** The picture of a row; `ratio` is its width divided by its height. */
export interface SavedImage {
  file: string
  ratio: number | null
}

export const noImage: SavedImage = { file: '', ratio: null }

interface Change {
  kind: ImageKind
  /** Path of the file in the input. */
  field: string
  /** The new picture; null for none. */
  upload: Buffer | null
  /** The club that saves it; null for the operator. */
  clubId: number | null
  /** Whether the current picture is removed without a new one. */
  remove: boolean
}

/**
 * Saves a row together with its picture. `save` gets the file's name and shape to write (`noImage` for none, undefined to leave both as they
 * are) and returns the row with its previous name. The old files are removed only once the row is saved; the new ones when it surely is not.
 */
export async function saveWithImage<R>(
  { images, log }: Deps,
  { kind, field, upload, clubId, remove }: Change,
  save: (image: SavedImage | undefined) => Promise<{ saved: R; fileBefore: string }>,
): Promise<R> {
  const owner = clubId === null ? 'operator' : `club ${clubId}`
  const store = (bytes: Buffer) => storing().then(({ storeImage }) => storeImage(images, { kind, bytes, field, owner }))
  const image = upload ? await store(upload) : remove ? noImage : undefined
  const file = image?.file
  const drop = (name: string) =>
    // Files left behind only take up room until the sweep.
    removeImage(images, kind, name).catch((error: unknown) =>
      log.warn({ err: describeError(error) }, 'image not removed'),
    )
  try {
    const { saved, fileBefore } = await save(image)
    if (file !== undefined && fileBefore !== file) await drop(fileBefore)
    return saved
  } catch (error) {
    if (file && isNotSaved(error)) await drop(file)
    throw error
  }
}

/**
 * Whether the row cannot have been saved: it was refused, by us or by the database. If the connection was lost, the row may name the new
 * file; the sweep finds out.
 */
function isNotSaved(error: unknown): boolean {
  const { code, message } = describeError(error)
  return error instanceof Refusal || (/^[0-9A-Z]{5}$/.test(code) && !isUnavailable(code, message))
}
