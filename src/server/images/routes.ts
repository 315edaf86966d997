import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../contract/errors.ts'
import type { ImageKind } from '../../contract/values/images.ts'
import { imageKinds } from '../../contract/values/images.ts'
import type { Deps } from '../deps.ts'
import { isImageFile, widthsOf } from './image-files.ts'
import { isOfKind, readImage } from './read-image.ts'

const MOST_KNOWN = 20_000
const YEAR = 365 * 24 * 60 * 60

interface ImageRequest {
  Params: { file: string }
  Querystring: { w?: string }
}

/** Serves images by file name, as WebP to clients that accept it, and at a smaller width with `?w=`. A name never changes its content. */
export function imageRoutes(app: FastifyInstance, deps: Deps): void {
  // The kind of an image never changes, and finding it out takes requests to the store.
  const known = new Map<string, ImageKind>()
  for (const kind of imageKinds) {
    app.get<ImageRequest>(`/api/${kind}/:file`, async (request, reply) => {
      const { file } = request.params
      if (!isImageFile(file)) throw new Refusal('NOT_FOUND')
      const isRight = known.has(file) ? known.get(file) === kind : await isOfKind(deps, kind, file)
      if (!isRight) throw new Refusal('NOT_FOUND')
      const isWebp = request.headers.accept?.includes('image/webp') ?? false
      const content = await readImage(deps, { kind, file, width: widthFor(kind, request.query.w), isWebp })
      if (!content) throw new Refusal('NOT_FOUND')
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(file, kind)
      return reply
        .header('cache-control', `public, max-age=${YEAR}, immutable`)
        .header('vary', 'accept')
        .type(isWebp ? 'image/webp' : file.endsWith('.png') ? 'image/png' : 'image/jpeg')
        .send(content)
    })
  }
}

/** The smallest width made that is not below the one asked for. */
function widthFor(kind: ImageKind, asked: unknown): number | null {
  const least = Number(asked)
  if (typeof asked !== 'string' || !Number.isInteger(least) || least <= 0) return null
  return widthsOf(kind).findLast((width) => width >= least) ?? null
}
