import { crc32, deflateSync } from 'node:zlib'
import { codeCells } from './code-cells.ts'

const CELL = 8
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * A code as a PNG, black on white with its quiet zone: eight pixels a square, one bit a pixel. Written here because each mail needs one,
 * and a library for pictures takes more than twice as long (format: https://www.w3.org/TR/png-3/).
 */
export function qrPicture(text: string): Buffer {
  const squares = codeCells(text)
  const width = squares.length * CELL
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(width, 4)
  // One bit a pixel, shades of grey: black is 0. Deflate, no filters but by row, not interlaced.
  header[8] = 1
  const rows = squares.flatMap((cells) => {
    // Each row begins with its filter, which is none. Eight pixels, so that a square is a byte wide.
    const row = Buffer.from([0, ...cells.map((isDark) => (isDark ? 0x00 : 0xff))])
    return Array.from({ length: CELL }, () => row)
  })
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A part of a PNG: its length, its name, what is in it, and the checksum of the last two. */
function chunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
