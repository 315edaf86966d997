import type { FastifyInstance } from 'fastify'

/**
 * Sets the security headers of every answer, as OWASP's HTTP headers cheat sheet lists them. They are the same for all answers, so
 * they are made once; pages and some files replace the content security policy by their own.
 */
export function sendSecurityHeaders(app: FastifyInstance, { isHttps }: { isHttps: boolean }): void {
  const headers = Object.entries({
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'SAMEORIGIN',
    'x-permitted-cross-domain-policies': 'none',
    ...(isHttps && { 'strict-transport-security': 'max-age=15552000; includeSubDomains' }),
  })
  app.addHook('onRequest', (_request, reply, done) => {
    // Below the reply's own headers, so that pages and files replace them.
    for (const [name, value] of headers) reply.raw.setHeader(name, value)
    done()
  })
}
