import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { qrPicture } from './qr-picture.ts'

test('the picture is a PNG of one bit a pixel that other programs read, and its code says the text', async () => {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } })
  for (const text of ['https://club.example/qr/1/6f1c', `https://club.example/${'long/'.repeat(60)}`]) {
    const png = qrPicture(text)
    const { format, width = 0, height, depth, channels } = await sharp(png, { failOn: 'warning' }).metadata()
    expect({ format, height, depth, channels }).toEqual({ format: 'png', height: width, depth: 'uchar', channels: 1 })
    const [code] = await readBarcodes(new Blob([new Uint8Array(png)]), { formats: ['QRCode'] })
    expect(code?.text).toBe(text)
    // Nothing dark in the quiet zone of four squares.
    const { data } = await sharp(png)
      .extract({ left: 0, top: 0, width, height: 32 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(data.every((shade) => shade === 255)).toBe(true)
    expect(png.length).toBeLessThan(4_000)
  }
})
