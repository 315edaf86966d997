import { features } from '../../../contract/all-calls.ts'
import { type Access, type Endpoint, takesTokens } from '../../../contract/endpoint.ts'
import { refusals } from '../../../contract/errors.ts'
import { PRODUCT_VERSION } from '../../../contract/version.ts'
import { accessText } from './access-words.ts'
import { Responses } from './responses.ts'
import { webhookSection } from './webhook-docs.ts'
import { type JsonSchema, wireSchema } from './wire-schema.ts'

const failure = {
  type: 'object',
  required: ['msg', 'code'],
  properties: {
    msg: { type: 'string', description: 'A sentence for people, in the language of `accept-language`.' },
    code: { enum: Object.keys(refusals) },
    errors: {
      type: 'array',
      description: 'The wrong fields.',
      items: {
        type: 'object',
        required: ['path', 'msg'],
        properties: { path: { type: 'string' }, msg: { type: 'string' } },
      },
    },
    payload: { description: 'Details, such as who checked the ticket in before.' },
  },
}

const securitySchemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a session, from the header `authorization` of `/api/user/signin`.',
  },
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API token, which begins with `tnt_`. Somebody of a club’s team makes it in their profile. It may do what was chosen for it, as far as that person may still do it.',
  },
}

const staffTokens = [{ token: [] }, { apiToken: [] }]

/** The whole API as an OpenAPI document, derived from the contract, for the server at this address. */
export function openApi(baseUrl: string) {
  const responses = new Responses()
  const paths: Record<string, JsonSchema> = {}
  for (const { name: feature, calls } of features)
    for (const [name, endpoint] of Object.entries(calls))
      paths[endpoint.path] = {
        [endpoint.method.toLowerCase()]: {
          operationId: `${feature}.${name}`,
          tags: [feature],
          ...operation(endpoint, responses),
        },
      }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnout',
      version: PRODUCT_VERSION,
      summary: 'Event registration, tickets and check-in for clubs.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: features.map(({ name, summary }) => ({ name, description: summary })),
    paths,
    webhooks: webhookSection(),
    components: {
      schemas: { Failure: failure },
      responses: responses.components,
      securitySchemes,
    },
  }
}

function operation(endpoint: Endpoint, responses: Responses): JsonSchema {
  const { method, summary, access, input } = endpoint
  return {
    summary,
    description: accessText(endpoint),
    security: securityOf(access),
    ...(method === 'GET' ? { parameters: queryParameters(input) } : { requestBody: requestBody(endpoint) }),
    responses: { 200: success(endpoint), ...responses.of(endpoint) },
  }
}

/** Staff may read a ticket with their token instead of its secret, so there it is one of two ways. */
function securityOf(access: Access) {
  if (access.who === 'visitor') return []
  if (access.who === 'holder') return 'staff' in access ? [{}, ...staffTokens] : []
  return takesTokens(access) ? staffTokens : [{ token: [] }]
}

function success({ payload, file }: Endpoint) {
  if (file !== undefined) return { description: 'The file.', content: { [file]: {} } }
  const schema = {
    type: 'object',
    required: ['payload'],
    properties: {
      payload: wireSchema(payload),
      msg: { type: 'string', description: 'What was done, as a sentence for people.' },
    },
  }
  return { description: 'Success', content: { 'application/json': { schema } } }
}

/** The body as JSON, and as a form where the call takes an image. */
function requestBody({ input, upload }: Endpoint) {
  const schema = wireSchema(input)
  const form = upload && {
    type: 'object',
    properties: {
      ...(upload.json === undefined ? fieldsOf(schema) : { [upload.json]: { type: 'string' } }),
      [upload.file]: { type: 'string', contentMediaType: 'application/octet-stream' },
    },
  }
  const content = { 'application/json': { schema }, ...(form && { 'multipart/form-data': { schema: form } }) }
  return { required: true, content }
}

function queryParameters(input: Endpoint['input']) {
  const schema = wireSchema(input)
  const needed = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(fieldsOf(schema)).map(([name, field]) => ({
    name,
    in: 'query',
    required: needed.includes(name),
    schema: field,
  }))
}

const fieldsOf = ({ properties }: JsonSchema): object =>
  typeof properties === 'object' && properties !== null ? properties : {}
