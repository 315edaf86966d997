import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
/** What fits into one packet is there as soon uncompressed. */
const SMALL = 1_400

/** An answer's text as it travels best to this client, packed off the main thread. */
export async function compressed(request: FastifyRequest, reply: FastifyReply, text: string): Promise<string | Buffer> {
  reply.header('vary', 'accept-encoding')
  if (text.length < SMALL) return text
  const accepted = request.headers['accept-encoding'] ?? ''
  if (/\bbr\b/.test(accepted)) {
    reply.header('content-encoding', 'br')
    return brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  }
  if (!/\bgzip\b/.test(accepted)) return text
  reply.header('content-encoding', 'gzip')
  return zip(text, { level: 6 })
}
