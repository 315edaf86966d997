import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
/** A text that fits into one packet arrives no sooner when compressed. */
const SMALL = 1_400

/** An answer's text in the best encoding this client accepts, compressed off the main thread. */
export async function compressed(request: FastifyRequest, reply: FastifyReply, text: string): Promise<string | Buffer> {
  reply.header('vary', 'accept-encoding')
  if (text.length < SMALL) return text
  if (accepts(request, 'br')) {
    reply.header('content-encoding', 'br')
    return brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  }
  // As bytes, since Node.js would read a long text three times: to join its parts, to count its bytes and to write it.
  if (!accepts(request, 'gzip')) return Buffer.from(text)
  reply.header('content-encoding', 'gzip')
  return zip(text, { level: 6 })
}

/** Sends a text that was compressed before, in an encoding that this client accepts. */
export function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  { plain, packed }: { plain: string; packed: { br: Buffer; gzip: Buffer } | null },
): FastifyReply {
  if (!packed) return reply.send(plain)
  reply.header('vary', 'accept-encoding')
  if (accepts(request, 'br')) return reply.header('content-encoding', 'br').send(packed.br)
  if (accepts(request, 'gzip')) return reply.header('content-encoding', 'gzip').send(packed.gzip)
  return reply.send(plain)
}

/** RFC 9110, 12.5.3: a coding of weight 0 is not acceptable. */
function accepts({ headers }: FastifyRequest, coding: string): boolean {
  const named = new RegExp(`\\b${coding}\\b(?:\\s*;\\s*q=([\\d.]+))?`).exec(headers['accept-encoding'] ?? '')
  return named !== null && Number(named[1] ?? 1) > 0
}
