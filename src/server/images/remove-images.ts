import type { ImageKind } from '../../contract/values/images.ts'
import type { Deps } from '../deps.ts'
import { describeError } from '../describe-error.ts'

import { removeImage } from './image-files.ts'

export interface ImageFile {
  kind: ImageKind
  /** The name as it stands in the row; empty for none. */
  file: string
}

/**
 * Removes images whose rows are gone. It never fails, because the change itself is done: files left behind only take up room until the
 * sweep.
 */
export async function removeImages({ images, log }: Pick<Deps, 'images' | 'log'>, files: readonly ImageFile[]) {
  for (const { kind, file } of files)
    await removeImage(images, kind, file).catch((error: unknown) =>
      log.warn({ err: describeError(error) }, 'image not removed'),
    )
}
