import * as z from 'zod/mini'
import * as texts from '../../../texts/generated/door.ts'

/** Capabilities of a camera that TypeScript's own types do not have. */
const abilities = z.object({
  torch: z.catch(z.optional(z.union([z.boolean(), z.array(z.boolean())])), undefined),
  zoom: z.catch(z.optional(z.object({ min: z.number(), max: z.number(), step: z.optional(z.number()) })), undefined),
})

interface CameraAbilities {
  hasTorch: boolean
  zoom: { min: number; max: number; step: number } | null
}

export interface OpenCamera extends CameraAbilities {
  /** The cameras of this device. */
  cameras: { id: string; label: string }[]
  setTorch: (isOn: boolean) => Promise<void>
  setZoom: (zoom: number) => Promise<void>
}

type LightAndZoom = MediaTrackConstraintSet & { torch?: boolean; zoom?: number }

/** Shows a camera's picture in `view` until aborted: of the camera chosen, or of the back one. */
export async function openCamera(
  view: HTMLVideoElement,
  chosen: string | null,
  signal: AbortSignal,
): Promise<OpenCamera> {
  if (!navigator.mediaDevices) throw new Error('A page without TLS gets no camera.')
  const stream = await streamOf(chosen)
  const end = () => {
    for (const track of stream.getTracks()) track.stop()
    // Another stream may be shown by now.
    if (view.srcObject === stream) view.srcObject = null
  }
  signal.addEventListener('abort', end)
  if (signal.aborted) {
    end()
    throw new DOMException('This camera is not needed any more.', 'AbortError')
  }
  view.srcObject = stream
  await view.play()
  const [track] = stream.getVideoTracks()
  const set = (wanted: LightAndZoom) => track?.applyConstraints({ advanced: [wanted] }) ?? Promise.resolve()
  return {
    ...abilitiesOf(track),
    cameras: await camerasHere(),
    setTorch: (torch) => set({ torch }),
    setZoom: (zoom) => set({ zoom }),
  }
}

/** The stream of the camera chosen, or of the back one if that is gone. */
async function streamOf(chosen: string | null): Promise<MediaStream> {
  const size = { width: { ideal: 1280 }, height: { ideal: 720 } }
  const back = () => navigator.mediaDevices.getUserMedia({ video: { ...size, facingMode: 'environment' } })
  if (chosen === null) return back()
  return navigator.mediaDevices.getUserMedia({ video: { ...size, deviceId: { exact: chosen } } }).catch(back)
}

function abilitiesOf(track: MediaStreamTrack | undefined): CameraAbilities {
  // Missing in some browsers.
  const capabilities = track && 'getCapabilities' in track ? track.getCapabilities() : {}
  const { torch, zoom } = z.parse(abilities, capabilities)
  return {
    hasTorch: torch === true || (Array.isArray(torch) && torch.includes(true)),
    zoom: zoom && zoom.max > zoom.min ? { ...zoom, step: zoom.step ?? 0.1 } : null,
  }
}

async function camerasHere(): Promise<OpenCamera['cameras']> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices
    .filter(({ kind }) => kind === 'videoinput')
    .map(({ deviceId, label }, index) => ({ id: deviceId, label: label || texts.cameraNo({ position: index + 1 }) }))
}
