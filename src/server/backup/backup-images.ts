import { possibleNames } from '../images/image-files.ts'
import type { ImageStore } from '../images/image-store.ts'
import { imageEntry } from './file-format.ts'
import type { AddEntry } from './write-file.ts'

/**
 * Adds all files of these images, one after another. One that is replaced meanwhile is in the trash. Answers how many files there are, and the images
 * of which none was found.
 */
export async function addImages(
  store: ImageStore,
  inUse: ReadonlySet<string>,
  add: AddEntry,
): Promise<{ images: number; missing: string[] }> {
  let images = 0
  const missing: string[] = []
  const known = new Map<string, string[]>()
  for (const { name } of [...(await store.list()), ...(await store.listRemoved())])
    known.set(idOf(name), [...(known.get(idOf(name)) ?? []), name])
  for (const image of [...inUse].sort()) {
    // Where older versions kept their images they are not listed, so they are asked for.
    const names = new Set(known.get(idOf(image)) ?? possibleNames(image))
    let found = 0
    for (const name of names) {
      const content = (await store.get(name)) ?? (await store.getRemoved(name))
      if (content === null || name.endsWith('.part')) continue
      await add(imageEntry(name), content)
      found++
    }
    if (found === 0) missing.push(image)
    images += found
  }
  return { images, missing }
}

function idOf(name: string): string {
  return name.slice(0, 32)
}
