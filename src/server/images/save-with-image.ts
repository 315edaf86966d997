import type { ImageKind } from '../../contract/images.ts'
import type { Deps } from '../deps.ts'
import { describe } from '../http/errors.ts'
import { removeImage, storeImage } from './make-image.ts'

interface Change {
  kind: ImageKind
  /** Where the file stands in the input. */
  field: string
  /** The new picture; null for none. */
  upload: Buffer | null
  /** Whether the present picture goes without another one. */
  remove: boolean
}

/**
 * Saves a row together with its picture. `save` gets the file's name to write ('' for none, undefined to leave it as it is)
 * and answers the row with the name that it had before. The files of before go only once the row is saved; when it is not,
 * the new ones go.
 */
export async function saveWithImage<R>(
  { images, log }: Deps,
  { kind, field, upload, remove }: Change,
  save: (file: string | undefined) => Promise<{ saved: R; fileBefore: string }>,
): Promise<R> {
  const file = upload ? await storeImage(images, kind, upload, field) : remove ? '' : undefined
  const drop = (name: string) =>
    // Left behind they cost a little room until the sweep.
    removeImage(images, kind, name).catch((error: unknown) => log.warn({ err: describe(error) }, 'image not removed'))
  try {
    const { saved, fileBefore } = await save(file)
    if (file !== undefined && fileBefore !== file) await drop(fileBefore)
    return saved
  } catch (error) {
    if (file) await drop(file)
    throw error
  }
}
