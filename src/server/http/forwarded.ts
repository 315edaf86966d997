import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'

const ownNetwork = /^((::ffff:)?(10|127|192\.168|172\.(1[6-9]|2\d|3[01]))\.|::1$|f[cd])/i

/**
 * Logs one error when a proxy that is not trusted stands in front: all visitors would count as one, and one of them could use up
 * everybody's limits.
 */
export function warnOfUntrustedProxy(app: FastifyInstance, { log }: Deps): void {
  let isSaid = false
  const warn = (request: FastifyRequest) => {
    const { headers, socket } = request
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
    if (!isForwarded) return
    // The addresses from the peer on, as far as each is trusted to name the one before it: a lone peer is not trusted.
    const isTrusted = request.ips !== undefined && request.ips.length > 1
    if (isTrusted) return
    isSaid = true
    log.error(
      // An address in our own network is the proxy's; another one may be a person's and is not logged.
      ownNetwork.test(socket.remoteAddress ?? '') ? { peer: socket.remoteAddress } : {},
      headers['x-forwarded-for'] === undefined
        ? 'A proxy sends the header Forwarded, which is not read: all its visitors count as one. Have it send X-Forwarded-For.'
        : 'A proxy that is not trusted sends X-Forwarded-For, so all its visitors count as one. If it is yours, set TRUST_PROXY to its address.',
    )
  }
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isSaid) warn(request)
    done()
  })
}
