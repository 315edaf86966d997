import type { Endpoint } from '../../../contract/endpoint.ts'
import { type RefusalCode, refusals } from '../../../contract/errors.ts'
import { failuresOf } from '../../../contract/failures.ts'
import type { JsonSchema } from './wire-schema.ts'

/** Failures as components of the document: equal ones of several calls stand there once. */
export class Responses {
  readonly components: Record<string, JsonSchema> = {}

  /** The failure answers of a call, by status, each with its codes. */
  of(endpoint: Endpoint): Record<string, JsonSchema> {
    const codes = failuresOf(endpoint)
    const statuses = [...new Set(codes.map((code) => refusals[code].status))]
    return Object.fromEntries(
      statuses.map((status) => [status, this.#refTo(codes.filter((code) => refusals[code].status === status))]),
    )
  }

  #refTo(codes: readonly RefusalCode[]): JsonSchema {
    const name = codes.join('.')
    this.components[name] ??= failure(codes)
    return { $ref: `#/components/responses/${name}` }
  }
}

function failure(codes: readonly RefusalCode[]): JsonSchema {
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Failure' }, { type: 'object', properties: { code: { enum: codes } } }],
  }
  const description = codes.map((code) => `\`${code}\`: ${refusals[code].msg()}`).join('\n\n')
  return { description, content: { 'application/json': { schema } } }
}
