import { z } from 'zod'
import type { ImportFailure } from '../../contract/club-files.ts'

/** Raised when older versions of Turnout could not read the file any more. */
export const FORMAT = 1

/** The first line of a club's file. Each line is a JSON array: what it is, and its content. */
export const headerSchema = z.object({
  format: z.literal(FORMAT),
  /** Which Turnout wrote it, for people. */
  version: z.string().max(100),
  exportedAt: z.iso.datetime(),
  /** Where the club was, and its number there. */
  from: z.string().max(1000),
  clubId: z.int().positive(),
})
export type Header = z.infer<typeof headerSchema>

/** A line with a picture: its name in the rows, what it is, and its bytes in base64. Pictures come before the rows. */
export const pictureSchema = z.object({
  name: z.string().max(100),
  kind: z.enum(['club-logo', 'event-banner']),
  content: z.string().regex(/^[A-Za-z\d+/]+={0,2}$/),
})
export type Picture = z.infer<typeof pictureSchema>

/** The last line: how many lines came before it, and the SHA-256 of their text. */
export const endSchema = z.object({ lines: z.int(), sha256: z.string().length(64) })

export const HEADER = 'turnout club'
export const PICTURE = 'picture'
export const CLUB = 'club'
export const END = 'end'

/** The longest line of a picture, in characters: more than one of the largest size takes. */
export const LONGEST_PICTURE = 24 * 1024 * 1024
/** The longest other line. */
export const LONGEST_LINE = 512 * 1024
/** The most characters and lines of a file, so that a small one that unpacks to a lot ends soon. */
export const MOST_CHARACTERS = 4 * 1024 ** 3
export const MOST_LINES = 20_000_000

/** The file is none of ours, or not as it was written. The message is for the log, without anything from the file. */
export class WrongClubFile extends Error {
  override name = 'WrongClubFile'

  readonly reason: ImportFailure

  constructor(reason: WrongClubFile['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}
