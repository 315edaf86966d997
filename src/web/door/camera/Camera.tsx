import { ActionIcon, NativeSelect, Slider } from '@mantine/core'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import * as texts from '../../../texts/generated/door.ts'
import type { Message } from '../../../texts/language.ts'
import styles from './Camera.module.css'
import { type OpenCamera, openCamera } from './open-camera.ts'
import { type DecoderState, readCodes } from './read-codes.ts'

interface Props {
  /** The camera chosen; null for the back one. */
  chosen: string | null
  onChoose: (id: string) => void
  /** Whether a code is being decided. */
  isBusy: boolean
  /** Whether somebody types, so that codes are ignored. */
  isTyping: boolean
  /** Empties the search field; null while it is empty. */
  onStopTyping: (() => void) | null
  onCode: (text: string) => void
  /** Told whether there is a picture from which codes are read. Keeps its identity. */
  onState: (state: 'starting' | 'seen' | 'failed') => void
}

const problems: Readonly<Record<string, Message>> = {
  NotAllowedError: texts.cameraNotAllowed,
  NotFoundError: texts.noCamera,
  NotReadableError: texts.cameraInUse,
}

/** After this time without a new frame, in ms, the camera counts as lost: iPhones take it away for a call without an event. */
const FROZEN_MS = 3_000

const decoderTexts: Readonly<Record<DecoderState, Message | null>> = {
  loading: texts.gettingReady,
  ready: null,
  lost: texts.noDecoder,
}

/** The camera's picture with torch, zoom and choice of cameras. Passes on every code that it reads. */
export function Camera({ chosen, onChoose, isBusy, isTyping, onStopTyping, onCode, onState }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const latest = useRef(onCode)
  const [problem, setProblem] = useState<string | null>(null)
  const [camera, setCamera] = useState<OpenCamera | null>(null)
  const [decoder, setDecoder] = useState<DecoderState>('loading')
  const [attempt, setAttempt] = useState(0)
  latest.current = onCode

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens the camera again.
  useEffect(() => {
    const stop = new AbortController()
    const view = video.current
    if (!view) return
    setProblem(null)
    openCamera(view, chosen, stop.signal)
      .then((opened) => {
        if (stop.signal.aborted) return
        setCamera(opened)
        return readCodes(view, stop.signal, { onCode: (text) => latest.current(text), onState: setDecoder })
      })
      .catch((error: unknown) => {
        if (stop.signal.aborted) return
        const name = error instanceof Error ? error.name : ''
        setProblem((problems[name] ?? texts.cameraNotStarted)())
      })
    return () => {
      stop.abort()
      setCamera(null)
    }
  }, [chosen, attempt])

  const isFailed = problem !== null || decoder === 'lost'
  const isSeen = camera !== null && decoder === 'ready'
  useEffect(() => onState(isFailed ? 'failed' : isSeen ? 'seen' : 'starting'), [onState, isFailed, isSeen])

  const reopen = useCallback(() => setAttempt((count) => count + 1), [])
  useReopening(video, problem !== null, reopen)

  return (
    <div className={styles.view}>
      <video ref={video} muted playsInline aria-label={texts.camera()} />
      {problem ? (
        <div className={styles.problem} role="alert">
          <p>{problem}</p>
          <button type="button" className="button" onClick={reopen}>
            {texts.tryTheCameraAgain()}
          </button>
        </div>
      ) : (
        <div className={styles.frame} aria-hidden="true" />
      )}
      {!problem && camera && decoderTexts[decoder]?.() && (
        <p className={styles.note} role={decoder === 'lost' ? 'alert' : 'status'}>
          {decoderTexts[decoder]?.()}
        </p>
      )}
      {!problem && isTyping && (
        <div className={styles.note}>
          <p>{texts.cameraWaits()}</p>
          {onStopTyping && (
            <button type="button" className="button" onClick={onStopTyping}>
              {texts.clearAndScan()}
            </button>
          )}
        </div>
      )}
      {isBusy && <p className={styles.busy}>{texts.checking()}</p>}
      {camera && <CameraControls camera={camera} chosen={chosen} onChoose={onChoose} />}
    </div>
  )
}

/** Reopens the camera after the phone took it away: for a call, the lock screen, another app. */
function useReopening(video: RefObject<HTMLVideoElement | null>, hasProblem: boolean, reopen: () => void): void {
  useEffect(() => {
    let aliveAt = performance.now()
    let time = -1
    const check = () => {
      const view = video.current
      const track = view?.srcObject instanceof MediaStream ? view.srcObject.getVideoTracks()[0] : undefined
      const now = performance.now()
      // A camera that was taken away without an event shows a frozen picture, or its track is muted.
      const isAlive = view !== null && view.currentTime !== time && track?.muted === false
      if (!view || !track || document.visibilityState !== 'visible' || isAlive) {
        time = view?.currentTime ?? -1
        aliveAt = now
        return
      }
      // If the video is only paused, playing it again may be enough.
      if (view.paused) void view.play().catch(() => {})
      if (track.readyState !== 'ended' && now - aliveAt < FROZEN_MS) return
      aliveAt = now
      reopen()
    }
    const onVisible = () => {
      // Another app may have released the camera.
      if (document.visibilityState === 'visible' && hasProblem) reopen()
      else check()
    }
    const timer = setInterval(check, FROZEN_MS / 3)
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [video, hasProblem, reopen])
}

function CameraControls({ camera, chosen, onChoose }: Pick<Props, 'chosen' | 'onChoose'> & { camera: OpenCamera }) {
  const [isLit, setLit] = useState(false)
  const { zoom, cameras, hasTorch } = camera
  const toggleTorch = () => {
    setLit(!isLit)
    // Some cameras claim a torch that they do not have.
    camera.setTorch(!isLit).catch(() => setLit(false))
  }
  return (
    <div className={styles.controls}>
      {hasTorch && (
        <ActionIcon
          size={48}
          radius="xl"
          variant={isLit ? 'filled' : 'white'}
          onClick={toggleTorch}
          aria-pressed={isLit}
          aria-label={texts.torch()}
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
          aria-label={texts.whichCamera()}
          data={[
            ...(chosen === null ? [{ value: '', label: texts.backCamera() }] : []),
            ...cameras.map(({ id, label }) => ({ value: id, label })),
          ]}
          value={chosen ?? ''}
          onChange={({ target }) => target.value !== '' && onChoose(target.value)}
        />
      )}
    </div>
  )
}
