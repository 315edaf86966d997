import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../contract/errors.ts'
import { isColour } from '../../contract/values/colours.ts'
import { coverOf } from '../../contract/values/covers.ts'
import { colourSheet } from './colour-sheet.ts'
import { drawCover } from './draw-cover.ts'

const YEAR = 365 * 24 * 60 * 60

/** Serves drawn covers and the colours of clubs' pages. Both follow from their address alone, so they never change. */
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
  app.get<{ Params: { file: string } }>('/colours/:file', (request, reply) => {
    const colour = request.params.file.replace(/^(.*)\.css$/, '#$1')
    if (!isColour(colour)) throw new Refusal('NOT_FOUND')
    return reply
      .header('cache-control', `public, max-age=${YEAR}, immutable`)
      .type('text/css; charset=utf-8')
      .send(colourSheet(colour))
  })
}
