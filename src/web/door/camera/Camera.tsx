import { ActionIcon, NativeSelect, Slider } from '@mantine/core'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type OpenCamera, openCamera } from './open-camera.ts'
import { type DecoderState, readCodes } from './read-codes.ts'

interface Props {
  /** The camera chosen; null for the back one. */
  chosen: string | null
  onChoose: (id: string) => void
  /** A code is being decided. */
  isBusy: boolean
  /** Somebody types: codes are passed over. */
  isTyping: boolean
  /** Empties the search field; null while nothing stands there. */
  onStopTyping: (() => void) | null
  onCode: (text: string) => void
}

const problems: Readonly<Record<string, string>> = {
  NotAllowedError: 'The camera is not allowed. Allow it in the browser’s settings for this page, or type the code.',
  NotFoundError: 'This device has no camera. Type the code, or use a scanner.',
  NotReadableError: 'Another app is using the camera. Close it and try again, or type the code.',
}

/** A camera that shows no new picture for so long, in ms, was taken away without a word, as iPhones do for a call. */
const FROZEN_MS = 3_000

const decoderWords: Readonly<Record<DecoderState, string | null>> = {
  loading: 'Getting ready to read codes …',
  ready: null,
  lost: 'The code reader could not be loaded, so no code is read. It is tried again by itself. Type the code, or use the search, until then.',
}

/** The camera's picture with its torch, zoom and choice; every code in it is told. */
export function Camera({ chosen, onChoose, isBusy, isTyping, onStopTyping, onCode }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const tell = useRef(onCode)
  const [problem, setProblem] = useState<string | null>(null)
  const [camera, setCamera] = useState<OpenCamera | null>(null)
  const [decoder, setDecoder] = useState<DecoderState>('loading')
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
        return readCodes(view, stop.signal, { onCode: (text) => tell.current(text), onState: setDecoder })
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

  const again = useCallback(() => setRound((now) => now + 1), [])
  useRevival(video, problem !== null, again)

  return (
    <div className="scan-view">
      <video ref={video} muted playsInline aria-label="Camera" />
      {problem ? (
        <div className="scan-problem" role="alert">
          <p>{problem}</p>
          <button type="button" className="button" onClick={again}>
            Try the camera again
          </button>
        </div>
      ) : (
        <div className="scan-frame" aria-hidden="true" />
      )}
      {!problem && camera && decoderWords[decoder] && (
        <p className="scan-note" role={decoder === 'lost' ? 'alert' : 'status'}>
          {decoderWords[decoder]}
        </p>
      )}
      {!problem && isTyping && (
        <div className="scan-note">
          <p>The camera waits while you type.</p>
          {onStopTyping && (
            <button type="button" className="button" onClick={onStopTyping}>
              Clear and scan
            </button>
          )}
        </div>
      )}
      {isBusy && <p className="scan-busy">Checking …</p>}
      {camera && <CameraControls camera={camera} chosen={chosen} onChoose={onChoose} />}
    </div>
  )
}

/** Gets the picture back when the phone took the camera away: for a call, the lock, another app. */
function useRevival(video: RefObject<HTMLVideoElement | null>, hasProblem: boolean, again: () => void): void {
  useEffect(() => {
    let seenAt = performance.now()
    let time = -1
    const look = () => {
      const view = video.current
      const track = view?.srcObject instanceof MediaStream ? view.srcObject.getVideoTracks()[0] : undefined
      const now = performance.now()
      // A picture that was taken away without a word stands still, or its track is silent.
      const isAlive = view !== null && view.currentTime !== time && track?.muted === false
      if (!view || !track || document.visibilityState !== 'visible' || isAlive) {
        time = view?.currentTime ?? -1
        seenAt = now
        return
      }
      // A paused picture may only need to be told to go on.
      if (view.paused) void view.play().catch(() => {})
      if (track.readyState !== 'ended' && now - seenAt < FROZEN_MS) return
      seenAt = now
      again()
    }
    const seen = () => {
      // Another app may have let go of it; what was forbidden stays so until somebody asks.
      if (document.visibilityState === 'visible' && hasProblem) again()
      else look()
    }
    const timer = setInterval(look, FROZEN_MS / 3)
    document.addEventListener('visibilitychange', seen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [video, hasProblem, again])
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
