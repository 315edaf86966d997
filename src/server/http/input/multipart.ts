import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { Refusal } from '../../../contract/errors.ts'
import { LARGEST_IMAGE } from '../../../contract/values/images.ts'
import * as texts from '../../../texts/generated/api.ts'
import type { Message } from '../../../texts/language.ts'
import { describeError } from '../../describe-error.ts'

import { isOptional } from './tolerate.ts'

/** A parsed form: its text fields as input, and the file's bytes (null for none). */
export interface Form {
  input: Record<string, unknown>
  upload: Buffer | null
}

/** Lets calls with an upload come as `multipart/form-data`: one file, at most 10 MB. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  const limits = { files: 1, fileSize: LARGEST_IMAGE, fields: 50, fieldSize: 200_000, headerPairs: 50 }
  await app.register(multipart, { limits })
}

/** Reads the form of a call, whose one file may have any name. Refuses with TOO_LARGE a file over the limit. */
export async function readForm({ input, upload }: Endpoint, request: FastifyRequest): Promise<Form> {
  if (!upload) throw new Refusal('WRONG_MEDIA_TYPE')
  const fields = new Map<string, string>()
  let file: Buffer | null = null
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') fields.set(part.fieldname, String(part.value))
      else if (part.filename) file = await part.toBuffer()
      // A file field that was left empty comes as a file without a name.
      else part.file.resume()
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    const { code, statusCode } = describeError(error)
    if (code === 'FST_FILES_LIMIT') throw invalidFile('INVALID_INPUT', upload.file, texts.oneFile)
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw invalidFile('TOO_LARGE', upload.file, texts.largeFile)
    throw new Refusal(statusCode === 413 ? 'TOO_LARGE' : 'NOT_READABLE')
  }
  // Without a file, the field holds the current file's name, sent back as received.
  fields.delete(upload.file)
  return { input: toInput(fields, input, upload.json), upload: file }
}

function invalidFile(code: 'INVALID_INPUT' | 'TOO_LARGE', path: string, msg: Message): Refusal {
  return new Refusal(code, { msg, fields: [{ path, msg }] })
}

function toInput(
  fields: Map<string, string>,
  schema: z.ZodMiniType,
  json: string | undefined,
): Record<string, unknown> {
  const shapes = new Map<string, z.core.$ZodType>(schema instanceof z.ZodMiniObject ? Object.entries(schema.shape) : [])
  const entries = Array.from(fields, ([name, text]) => {
    if (name === json) return [name, readJson(text)]
    const shape = shapes.get(name)
    return [name, shape ? typed(text, shape) : text]
  })
  return Object.fromEntries(entries)
}

/**
 * All form fields are text: where a field does not accept it as such, it is read as a number, a boolean or null. The text `null` means null
 * wherever the field may be left out.
 */
function typed(text: string, shape: z.core.$ZodType): unknown {
  if (text === 'null' && isOptional(shape)) return null
  if (z.core.safeParse(shape, text).success) return text
  if (text === '' && z.core.safeParse(shape, null).success) return null
  const value = readJson(text)
  return z.core.safeParse(shape, value).success ? value : text
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
