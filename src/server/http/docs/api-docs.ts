import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { openApi } from './openapi.ts'
import { referencePage } from './reference-page.ts'

/** `/api/openapi.json` and the reference page `/api/docs`, both generated from the contract's table. */
export function answerApiDocs(app: FastifyInstance, { settings }: Deps): void {
  // Generated on the first request, so that no start waits for them.
  let document: ReturnType<typeof openApi> | null = null
  let page: string | null = null
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= openApi(settings.baseUrl)
    return reply.type('application/json; charset=utf-8').send(document)
  })
  app.get('/api/docs', async (_request, reply) => {
    page ??= referencePage()
    return reply
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .type('text/html; charset=utf-8')
      .send(page)
  })
}
