import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip } from 'node:zlib'
import {
  END,
  endSchema,
  FORMAT,
  HEADER,
  type Header,
  headerSchema,
  LONGEST_LINE,
  LONGEST_PICTURE,
  MOST_CHARACTERS,
  MOST_LINES,
  PICTURE,
  WrongClubFile,
} from './file-format.ts'

/** A line of a club's file: what it is, and its content. */
export interface Line {
  kind: string
  content: unknown
  /** The length of its text. */
  size: number
}

/** Reads the lines of a club's file; the last one that comes is before its end. Throws `WrongClubFile` where it is not as it was written. */
export async function* readLines(file: Readable): AsyncGenerator<Line> {
  const hash = createHash('sha256')
  let count = 0
  let isOver = false
  for await (const text of textLines(file)) {
    if (isOver) throw damaged('There is something behind its end.')
    if (count >= MOST_LINES) throw damaged('It has too many lines.')
    if (text.length > LONGEST_LINE && !text.startsWith(`["${PICTURE}",`)) throw damaged('A line is too long.')
    const line = parseLine(text, count === 0)
    if (count === 0) checkHeader(line)
    if (line.kind === END) {
      const end = endSchema.safeParse(line.content)
      if (!end.success || end.data.lines !== count || end.data.sha256 !== hash.digest('hex'))
        throw damaged('Its checksum is another one.')
      isOver = true
      continue
    }
    hash.update(text).update('\n')
    count++
    if (line.kind !== HEADER) yield line
  }
  if (!isOver) throw damaged('Its end is missing.')
}

function checkHeader({ kind, content }: Line): Header {
  if (kind !== HEADER) throw notOurs('Its first line is no header.')
  const header = headerSchema.safeParse(content)
  if (header.success) return header.data
  const { format } = typeof content === 'object' && content !== null && 'format' in content ? content : { format: 0 }
  if (typeof format === 'number' && format > FORMAT) throw new WrongClubFile('newer', `It has format ${format}.`)
  throw notOurs('Its header is not readable.')
}

function parseLine(text: string, isFirst: boolean): Line {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value) && value.length === 2 && typeof value[0] === 'string')
      return { kind: value[0], content: value[1], size: text.length }
  } catch {
    // Said below.
  }
  throw isFirst ? notOurs('Its first line is not readable.') : damaged('A line is not readable.')
}

async function* textLines(file: Readable): AsyncGenerator<string> {
  const gunzip = createGunzip()
  const reading = pipeline(file, gunzip)
  // Its failure reaches us through the chunks.
  reading.catch(() => {})
  const decoder = new StringDecoder('utf8')
  let rest: string[] = []
  let length = 0
  let total = 0
  try {
    for await (const chunk of gunzip) {
      const [first = '', ...others] = decoder.write(chunk).split('\n')
      rest.push(first)
      length += first.length
      if (length > LONGEST_PICTURE) throw damaged('A line is too long.')
      total += chunk.length
      if (total > MOST_CHARACTERS) throw damaged('It unpacks to too much.')
      for (const next of others) {
        yield rest.join('')
        rest = [next]
        length = next.length
      }
    }
    await reading
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!code.startsWith('Z_')) throw error
    throw gunzip.bytesWritten < 20 ? notOurs('It is not compressed as ours are.') : damaged('It cannot be unpacked.')
  }
  if (rest.join('') !== '') throw damaged('It was cut off.')
}

const damaged = (message: string) => new WrongClubFile('damaged', message)
const notOurs = (message: string) => new WrongClubFile('not ours', message)
