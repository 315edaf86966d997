import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'

/** A message of this worker: that it is ready or failed to load; then the codes of each picture. */
export type DecoderMessage = { kind: 'ready' } | { kind: 'failed' } | { kind: 'codes'; texts: string[] }

const send = (message: DecoderMessage) => postMessage(message)

// Loads the decoder from our own bundle instead of the library's default host, and at once, so that a failure is detected and does not
// look like pictures without a code.
prepareZXingModule({
  overrides: { locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasmUrl : prefix + path) },
  fireImmediately: true,
}).then(
  () => {
    // In a worker, so that decoding never blocks the page.
    addEventListener('message', ({ data }: MessageEvent<ImageData>) => void read(data))
    send({ kind: 'ready' })
  },
  () => send({ kind: 'failed' }),
)

async function read(picture: ImageData): Promise<void> {
  // A picture that cannot be read has no codes; the next one follows soon.
  const found = await readBarcodes(picture, { formats: ['QRCode'], maxNumberOfSymbols: 2 }).catch(() => [])
  send({ kind: 'codes', texts: found.filter(({ isValid }) => isValid).map(({ text }) => text) })
}
