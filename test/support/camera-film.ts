import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeQR } from 'qr'
import { makeDataDir } from './serve.ts'

const [WIDTH, HEIGHT, PER_SECOND] = [640, 480, 10]
const [WHITE, BLACK, NO_COLOUR] = [235, 16, 128]

/**
 * A film in the raw format that Chromium's fake camera plays again and again (YUV4MPEG2): one QR code after the other, each for
 * `seconds`, with nothing in view between them.
 */
export function makeCameraFilm(texts: readonly string[], seconds = 1): string {
  const repeat = (frame: Buffer) => Array.from({ length: Math.max(2, seconds * PER_SECOND) }, () => frame)
  const scenes = texts.length > 1 ? texts.flatMap((text) => [...repeat(frameOf(text)), ...repeat(frameOf(null))]) : []
  const frames = texts.length > 1 ? scenes : repeat(frameOf(texts[0] ?? null))
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${PER_SECOND}:1 Ip A1:1 C420jpeg\n`)
  const path = join(makeDataDir(), 'camera.y4m')
  writeFileSync(path, Buffer.concat([head, ...frames]))
  return path
}

function frameOf(text: string | null): Buffer {
  const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE)
  if (text !== null) {
    const squares = encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
    const size = squares.length
    const scale = Math.floor(HEIGHT / size)
    const left = Math.floor((WIDTH - size * scale) / 2)
    const top = Math.floor((HEIGHT - size * scale) / 2)
    for (let y = 0; y < size * scale; y++)
      for (let x = 0; x < size * scale; x++)
        if (squares[Math.floor(y / scale)]?.[Math.floor(x / scale)]) luma[(top + y) * WIDTH + left + x] = BLACK
  }
  return Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((WIDTH * HEIGHT) / 2, NO_COLOUR)])
}
