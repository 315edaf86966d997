import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../contract/errors.ts'
import { coverOf } from '../../contract/values/covers.ts'
import { drawCover } from './draw-cover.ts'

const YEAR = 365 * 24 * 60 * 60

/** Serves the drawn covers of events without a banner. A cover follows from its address alone, so it never changes. */
export function coverRoutes(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>('/cover/:file', (request, reply) => {
    const cover = coverOf(request.params.file)
    if (!cover) throw new Refusal('NOT_FOUND')
    return reply
      .header('cache-control', `public, max-age=${YEAR}, immutable`)
      .header('content-security-policy', "default-src 'none';style-src 'unsafe-inline'")
      .type('image/svg+xml')
      .send(drawCover(cover))
  })
}
