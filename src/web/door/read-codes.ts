/** Between two looks, in ms. */
const BETWEEN_MS = 80
/** A picture is made smaller than this, in pixels: a code that is held up needs no more, and less is read sooner. */
const LARGEST = 960

/** Looks for QR codes in the picture until aborted, several times a second. */
export async function readCodes(
  view: HTMLVideoElement,
  signal: AbortSignal,
  onCode: (text: string) => void,
): Promise<void> {
  const worker = new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module' })
  signal.addEventListener('abort', () => worker.terminate())
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser draws no pictures.')
  while (!signal.aborted) {
    const picture = pictureOf(view, context)
    const texts = picture ? await decode(worker, picture) : []
    if (signal.aborted) return
    for (const text of texts) onCode(text)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  }
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

function decode(worker: Worker, picture: ImageData): Promise<string[]> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<string[]>) => resolve(data)
    worker.onerror = () => reject(new Error('The decoder could not be started.'))
    worker.postMessage(picture, [picture.data.buffer])
  })
}
