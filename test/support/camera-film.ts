import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeQR } from 'qr'
import { makeDataDir } from './serve.ts'

// Small and slow: each picture that a page shows and looks through for codes takes processor time from the other tests.
const [WIDTH, HEIGHT, PER_SECOND] = [320, 240, 4]
const [WHITE, BLACK, NO_COLOUR] = [235, 16, 128]

/** A film in the raw format that Chromium's fake camera plays again and again (YUV4MPEG2): a QR code of this text, or nothing in view. */
export function makeCameraFilm(text: string | null): string {
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${PER_SECOND}:1 Ip A1:1 C420jpeg\n`)
  const frame = frameOf(text)
  const path = join(makeDataDir(), 'camera.y4m')
  writeFileSync(path, Buffer.concat([head, frame, frame]))
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
