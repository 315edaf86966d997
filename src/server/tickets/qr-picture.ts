import sharp from 'sharp'
import { encode } from 'uqr'

const CELL = 8

/** A code as a PNG, black on white with its quiet zone: eight pixels a square. */
export function qrPicture(text: string): Promise<Buffer> {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const width = size * CELL
  const pixels = Buffer.alloc(width * width, 255)
  for (const [row, cells] of data.entries())
    for (const [column, isDark] of cells.entries())
      if (isDark)
        for (let y = 0; y < CELL; y++) {
          const start = (row * CELL + y) * width + column * CELL
          pixels.fill(0, start, start + CELL)
        }
  return sharp(pixels, { raw: { width, height: width, channels: 1 } })
    .png({ compressionLevel: 6 })
    .toBuffer()
}
