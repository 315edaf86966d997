import * as z from 'zod/mini'

export type JsonSchema = Record<string, unknown>

/** A schema in wire format: text for ids in a query, ISO 8601 for moments. */
export function wireSchema(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return json
}
