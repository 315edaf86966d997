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
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Pages and files have set their own policy by now. Static files set theirs below the reply's.
    for (const [name, value] of headers)
      if (!reply.hasHeader(name) && !reply.raw.hasHeader(name)) reply.header(name, value)
    done()
  })
}
