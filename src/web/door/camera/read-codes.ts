import type { Said } from './decode-worker.ts'

/** Between two looks, in ms. */
const BETWEEN_MS = 80
/** A picture is made smaller than this, in pixels: a code that is held up needs no more, and less is read sooner. */
const LARGEST = 960
/** A decoder that says nothing for so long is dead. Its first word may take a weak network long. */
const SILENCE_MS = 10_000
const LOADING_MS = 60_000
/** Between two tries to load it. */
const AGAIN_MS = 2_000

/** How the decoder does: `lost` while it could not be loaded, or died, and is tried again. */
export type DecoderState = 'loading' | 'ready' | 'lost'

interface Reader {
  onCode: (text: string) => void
  onState: (state: DecoderState) => void
}

/** Looks for QR codes in the picture until aborted, several times a second. A decoder that fails is said and started anew. */
export async function readCodes(view: HTMLVideoElement, signal: AbortSignal, reader: Reader): Promise<void> {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser draws no pictures.')
  reader.onState('loading')
  while (!signal.aborted) {
    const worker = new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module' })
    const end = () => worker.terminate()
    signal.addEventListener('abort', end)
    try {
      await hear(worker, LOADING_MS)
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

/** What the camera sees now; null while it sees nothing yet, and when nobody looks at the page. */
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
  const answer = hear(worker, SILENCE_MS)
  worker.postMessage(picture, [picture.data.buffer])
  const said = await answer
  return said.kind === 'codes' ? said.texts : []
}

/** What the decoder says next; fails when it cannot work, or says nothing for too long. */
function hear(worker: Worker, silenceMs: number): Promise<Said> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('The decoder could not be started.'))
    const timer = setTimeout(fail, silenceMs)
    worker.onmessage = ({ data }: MessageEvent<Said>) => {
      clearTimeout(timer)
      if (data.kind === 'failed') fail()
      else resolve(data)
    }
    worker.onerror = fail
    worker.onmessageerror = fail
  })
}
