import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { endpoints } from '../../contract/all-calls.ts'
import type { Access, Endpoint } from '../../contract/endpoint.ts'
import { refusals } from '../../contract/errors.ts'
import { PRODUCT_VERSION } from '../../contract/version.ts'
import { escapeHtml } from '../escape-html.ts'

/** `/api/openapi.json` and the reference page `/api/docs`, both generated from the contract's table. */
export function answerApiDocs(app: FastifyInstance): void {
  // Generated on the first request, so that no start waits for them.
  let document: ReturnType<typeof openApi> | null = null
  let page: string | null = null
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= openApi()
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

type JsonSchema = Record<string, unknown>

/** A schema in wire format: text for ids in a query, ISO 8601 for moments. */
function wireSchema(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return json
}

function openApi() {
  const failure = {
    type: 'object',
    required: ['msg', 'code'],
    properties: {
      msg: { type: 'string' },
      code: { enum: Object.keys(refusals) },
      errors: {
        type: 'array',
        items: { type: 'object', properties: { path: { type: 'string' }, msg: { type: 'string' } } },
      },
      payload: {},
    },
  }
  const paths: Record<string, JsonSchema> = {}
  for (const endpoint of endpoints) paths[endpoint.path] = { [endpoint.method.toLowerCase()]: operation(endpoint) }
  return {
    openapi: '3.1.0',
    info: { title: 'Turnout', version: PRODUCT_VERSION },
    components: {
      schemas: { Failure: failure },
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } },
    },
    paths,
  }
}

function operation({ method, summary, access, input, payload }: Endpoint): JsonSchema {
  const schema = wireSchema(input)
  const success = {
    type: 'object',
    required: ['payload'],
    properties: { payload: wireSchema(payload), msg: { type: 'string' } },
  }
  return {
    summary,
    description: accessText(access),
    ...securityOf(access),
    ...(method === 'GET' ? { parameters: queryParameters(schema) } : { requestBody: jsonBody(schema) }),
    responses: {
      200: { description: 'Success', content: { 'application/json': { schema: success } } },
      default: {
        description: 'Failure',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  }
}

function jsonBody(schema: JsonSchema) {
  return { required: true, content: { 'application/json': { schema } } }
}

function queryParameters({ properties, required }: JsonSchema) {
  const needed = Array.isArray(required) ? required : []
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: needed.includes(name),
    schema,
  }))
}

/** Who may make the call, and what a role in the club's team must allow. */
function accessText(access: Access): string {
  const needs = 'needs' in access ? `Needs the permission \`${access.needs}\`.` : ''
  const toEdit = 'toEdit' in access && access.toEdit ? `Editing needs \`${access.toEdit.needs}\`.` : ''
  const staff = access.who === 'holder' && 'staff' in access && access.staff ? `Staff need \`${access.staff}\`.` : ''
  return [whoMay(access), needs, toEdit, staff].filter(Boolean).join(' ')
}

function whoMay(access: Access): string {
  switch (access.who) {
    case 'visitor':
      return 'Anyone.'
    case 'self':
      return 'Anyone signed in.'
    case 'sudo':
      return 'The operator (sudo).'
    case 'sudo-or-admin':
      return 'The operator (sudo), or an admin of the club.'
    case 'holder':
      return holderOf(access)
    default:
      return 'An admin of the club.'
  }
}

function holderOf(access: Extract<Access, { who: 'holder' }>): string {
  if ('voucher' in access) return "Whoever knows the voucher's `qrUuid`."
  return access.staff
    ? "Whoever knows the ticket's `qrUuid`; staff of its club may leave it out."
    : "Whoever knows the ticket's `qrUuid`."
}

/** Staff may read a ticket with their token instead of its secret, so there it is one of two ways. */
function securityOf(access: Access) {
  const isPublic = access.who === 'visitor' || access.who === 'holder'
  if (!isPublic) return { security: [{ token: [] }] }
  return 'staff' in access ? { security: [{}, { token: [] }] } : {}
}

function referencePage(): string {
  const calls = endpoints.map(
    ({ method, path, summary, access, input, payload }) => `<section><h2><code>${method} ${path}</code></h2>
<p>${escapeHtml(summary)} <em>${escapeHtml(accessText(access))}</em></p>
<details><summary>Input</summary><pre>${escapeHtml(JSON.stringify(wireSchema(input), null, 2))}</pre></details>
<details><summary>Payload</summary><pre>${escapeHtml(JSON.stringify(wireSchema(payload), null, 2))}</pre></details></section>`,
  )
  const failures = Object.entries(refusals).map(
    ([code, { status, msg }]) =>
      `<tr><td>${status}</td><td><code>${code}</code></td><td>${escapeHtml(msg())}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API | Turnout</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1.5rem;color:#1f1f33}
h1{color:#4000b8}h2{font-size:1rem;margin:2rem 0 .25rem}pre{overflow:auto;background:#f4f4fb;padding:1rem;border-radius:8px}
td{padding:.25rem .75rem .25rem 0;vertical-align:top}</style></head><body><main><h1>Turnout API</h1>
<p>Sign in, then send the token from the header <code>authorization</code> in <code>Authorization</code>. A success is
<code>{ payload, msg? }</code>, a failure <code>{ msg, code, errors?, payload? }</code>. The same as data:
<a href="/api/openapi.json">openapi.json</a>.</p>${calls.join('\n')}<h2>Failures</h2><table>${failures.join('')}</table></main></body></html>`
}
