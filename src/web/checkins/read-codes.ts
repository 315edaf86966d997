import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'

// The decoder comes from our own bundle; the library's default is a host of others.
prepareZXingModule({
  overrides: { locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasmUrl : prefix + path) },
})

const BETWEEN_MS = 120

/** Looks for QR codes in the picture until aborted, a few times a second. */
export async function readCodes(
  view: HTMLVideoElement,
  signal: AbortSignal,
  onCode: (text: string) => void,
): Promise<void> {
  const detector = new BarcodeDetector({ formats: ['qr_code'] })
  while (!signal.aborted) {
    // A frame that cannot be read is followed by another.
    const codes = view.readyState >= view.HAVE_CURRENT_DATA ? await detector.detect(view).catch(() => []) : []
    if (signal.aborted) return
    for (const { rawValue } of codes.slice(0, 1)) onCode(rawValue)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  }
}
