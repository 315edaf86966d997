import type { DecoderMessage } from './decode-worker.ts'

/** The pause between two pictures, in ms. */
const BETWEEN_MS = 80
/** Pictures are scaled down to this size, in pixels: enough for a code held to the camera, and faster to read. */
const LARGEST = 960
/** A decoder without a message for this time, in ms, is dead. On a weak network, loading takes longer. */
const SILENCE_MS = 10_000
const LOADING_MS = 60_000
/** The pause between two attempts to load the decoder, in ms. */
const AGAIN_MS = 2_000

/** The state of the decoder; `lost` when it failed to load or died, until it is started again. */
export type DecoderState = 'loading' | 'ready' | 'lost'

interface Reader {
  onCode: (text: string) => void
  onState: (state: DecoderState) => void
}

/** Reads QR codes from the picture several times a second until aborted. A decoder that fails is reported and started again. */
export async function readCodes(view: HTMLVideoElement, signal: AbortSignal, reader: Reader): Promise<void> {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser draws no pictures.')
  reader.onState('loading')
  while (!signal.aborted) {
    const worker = new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module' })
    const end = () => worker.terminate()
    signal.addEventListener('abort', end)
    try {
      await nextMessage(worker, LOADING_MS)
      if (!signal.aborted) reader.onState('ready')
      while (!signal.aborted) {
        const picture = pictureOf(view, context)
        const texts = picture ? await decode(worker, picture) : []
        if (signal.aborted) return
        for (const text of texts) reader.onCode(text)
        await pause(BETWEEN_MS)
      }
    } catch {
      if (!signal.aborted) reader.onState('lost')
      await pause(AGAIN_MS)
    } finally {
      signal.removeEventListener('abort', end)
      end()
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** The current picture of the camera; null before the first, and while the page is hidden. */
function pictureOf(view: HTMLVideoElement, context: CanvasRenderingContext2D): ImageData | null {
  const { videoWidth, videoHeight, readyState } = view
  if (readyState < view.HAVE_CURRENT_DATA || videoWidth === 0 || document.visibilityState !== 'visible') return null
  const scale = Math.min(1, LARGEST / Math.max(videoWidth, videoHeight))
  const [width, height] = [Math.round(videoWidth * scale), Math.round(videoHeight * scale)]
  if (context.canvas.width !== width) context.canvas.width = width
  if (context.canvas.height !== height) context.canvas.height = height
  context.drawImage(view, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}

async function decode(worker: Worker, picture: ImageData): Promise<string[]> {
  const answer = nextMessage(worker, SILENCE_MS)
  worker.postMessage(picture, [picture.data.buffer])
  const message = await answer
  return message.kind === 'codes' ? message.texts : []
}

/** The decoder's next message; fails when the decoder does, or is silent for too long. */
function nextMessage(worker: Worker, silenceMs: number): Promise<DecoderMessage> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('The decoder could not be started.'))
    const timer = setTimeout(fail, silenceMs)
    worker.onmessage = ({ data }: MessageEvent<DecoderMessage>) => {
      clearTimeout(timer)
      if (data.kind === 'failed') fail()
      else resolve(data)
    }
    worker.onerror = fail
    worker.onmessageerror = fail
  })
}
