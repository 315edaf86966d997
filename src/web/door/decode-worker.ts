import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'

// The decoder comes from our own bundle; the library's default is a host of others.
prepareZXingModule({
  overrides: { locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasmUrl : prefix + path) },
})

/** Answers the codes of each picture that it is sent. In a thread of its own, so that looking for codes never holds the page up. */
addEventListener('message', ({ data }: MessageEvent<ImageData>) => void read(data))

async function read(picture: ImageData): Promise<void> {
  // A picture that cannot be read is followed by another.
  const found = await readBarcodes(picture, { formats: ['QRCode'], maxNumberOfSymbols: 2 }).catch(() => [])
  postMessage(found.filter(({ isValid }) => isValid).map(({ text }) => text))
}
