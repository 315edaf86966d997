import * as texts from '../../texts/generated/api.ts'
import type { Message } from '../../texts/language.ts'
/** The properties in a picture's header that decide how much memory it takes to decode. */
export interface PictureFacts {
  format: string
  width: number
  height: number
  /** Colours and transparency: 1 to 4. */
  channels: number
  /** Bits per channel. */
  bits: number
  /** Interlaced or progressive: it can only be decoded as a whole. */
  isProgressive: boolean
}

/** 24 megapixels with transparency at 8 bits. */
const MOST_BYTES = 24_000_000 * 4
/** A JPEG that is not progressive is decoded row by row and reduced on the way, so its limit is one of time. */
const MOST_PIXELS = 64_000_000

/** Why a picture is too large to decode, in words for the person who chose it; null when it is not. */
export function tooLarge(facts: PictureFacts): Message | null {
  const pixels = facts.width * facts.height
  if (pixels <= MOST_PIXELS && bytesToDecode(facts, pixels) <= MOST_BYTES) return null
  // As text, without separators of thousands.
  const size = { width: String(facts.width), height: String(facts.height) }
  return () => (facts.bits > 8 ? texts.largeDeepImage({ ...size, bits: facts.bits }) : texts.largeImage(size))
}

function bytesToDecode({ format, channels, bits, isProgressive }: PictureFacts, pixels: number): number {
  if (format === 'jpeg' && !isProgressive) return 0
  // A progressive JPEG keeps coefficients of 16 bits until its last scan is read.
  return pixels * channels * (format === 'jpeg' ? 2 : Math.ceil(bits / 8))
}
