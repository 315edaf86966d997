import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'

/** What this thread says: that it can begin, or cannot; then the codes of each picture. */
export type Said = { kind: 'ready' } | { kind: 'failed' } | { kind: 'codes'; texts: string[] }

const say = (said: Said) => postMessage(said)

// The decoder comes from our own bundle; the library's default is a host of others. Loaded at once: one that did not load reads nothing,
// for ever, and that must not look like a picture without a code.
prepareZXingModule({
  overrides: { locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasmUrl : prefix + path) },
  fireImmediately: true,
}).then(
  () => {
    /** Answers the codes of each picture that it is sent. In a thread of its own, so that looking for codes never holds the page up. */
    addEventListener('message', ({ data }: MessageEvent<ImageData>) => void read(data))
    say({ kind: 'ready' })
  },
  () => say({ kind: 'failed' }),
)

async function read(picture: ImageData): Promise<void> {
  // A picture that cannot be read is followed by another.
  const found = await readBarcodes(picture, { formats: ['QRCode'], maxNumberOfSymbols: 2 }).catch(() => [])
  say({ kind: 'codes', texts: found.filter(({ isValid }) => isValid).map(({ text }) => text) })
}
