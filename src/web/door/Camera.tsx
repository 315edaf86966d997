import { ActionIcon, NativeSelect, Slider } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { type OpenCamera, openCamera } from './open-camera.ts'
import { readCodes } from './read-codes.ts'

interface Props {
  /** The camera chosen; null for the back one. */
  chosen: string | null
  onChoose: (id: string) => void
  /** A code is being decided. */
  isBusy: boolean
  onCode: (text: string) => void
}

const problems: Readonly<Record<string, string>> = {
  NotAllowedError: 'The camera is not allowed. Allow it in the browser’s settings for this page, or type the code.',
  NotFoundError: 'This device has no camera. Type the code, or use a scanner.',
  NotReadableError: 'Another app is using the camera. Close it and try again, or type the code.',
}

/** The camera's picture with its torch, zoom and choice; every code in it is told. */
export function Camera({ chosen, onChoose, isBusy, onCode }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const tell = useRef(onCode)
  const [problem, setProblem] = useState<string | null>(null)
  const [camera, setCamera] = useState<OpenCamera | null>(null)
  const [round, setRound] = useState(0)
  tell.current = onCode

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round opens the camera anew.
  useEffect(() => {
    const stop = new AbortController()
    const view = video.current
    if (!view) return
    setProblem(null)
    openCamera(view, chosen, stop.signal)
      .then((opened) => {
        if (stop.signal.aborted) return
        setCamera(opened)
        return readCodes(view, stop.signal, (text) => tell.current(text))
      })
      .catch((error: unknown) => {
        if (stop.signal.aborted) return
        const name = error instanceof Error ? error.name : ''
        setProblem(problems[name] ?? 'The camera could not be started. Type the code instead.')
      })
    return () => {
      stop.abort()
      setCamera(null)
    }
  }, [chosen, round])

  // Some phones take the camera away while the page is out of view.
  useEffect(() => {
    const look = () => {
      const track = video.current?.srcObject instanceof MediaStream ? video.current.srcObject.getVideoTracks()[0] : null
      if (document.visibilityState === 'visible' && track?.readyState === 'ended') setRound((now) => now + 1)
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])

  return (
    <div className="scan-view">
      <video ref={video} muted playsInline aria-label="Camera" />
      {problem ? (
        <div className="scan-problem" role="alert">
          <p>{problem}</p>
          <button type="button" className="button" onClick={() => setRound(round + 1)}>
            Try the camera again
          </button>
        </div>
      ) : (
        <div className="scan-frame" aria-hidden="true" />
      )}
      {isBusy && <p className="scan-busy">Checking …</p>}
      {camera && <CameraControls camera={camera} chosen={chosen} onChoose={onChoose} />}
    </div>
  )
}

function CameraControls({ camera, chosen, onChoose }: Pick<Props, 'chosen' | 'onChoose'> & { camera: OpenCamera }) {
  const [isLit, setLit] = useState(false)
  const { zoom, cameras, hasTorch } = camera
  const light = () => {
    setLit(!isLit)
    // A camera that says it has a torch and then has none stays dark.
    camera.setTorch(!isLit).catch(() => setLit(false))
  }
  return (
    <div className="scan-controls">
      {hasTorch && (
        <ActionIcon
          size={48}
          radius="xl"
          variant={isLit ? 'filled' : 'white'}
          onClick={light}
          aria-pressed={isLit}
          aria-label="Torch"
        >
          <span aria-hidden="true">🔦</span>
        </ActionIcon>
      )}
      {zoom && (
        <Slider
          {...zoom}
          defaultValue={zoom.min}
          label={(value) => `${value.toFixed(1)}×`}
          thumbLabel="Zoom"
          flex={1}
          size="lg"
          onChange={(value) => void camera.setZoom(value).catch(() => {})}
        />
      )}
      {cameras.length > 1 && (
        <NativeSelect
          aria-label="Which camera"
          data={[
            ...(chosen === null ? [{ value: '', label: 'Back camera' }] : []),
            ...cameras.map(({ id, label }) => ({ value: id, label })),
          ]}
          value={chosen ?? ''}
          onChange={({ target }) => target.value !== '' && onChoose(target.value)}
        />
      )}
    </div>
  )
}
