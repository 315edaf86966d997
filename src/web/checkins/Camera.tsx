import { useEffect, useRef, useState } from 'react'
import { readCodes } from './read-codes.ts'

interface Props {
  onCode: (text: string) => void
}

const problems: Readonly<Record<string, string>> = {
  NotAllowedError: 'The camera is not allowed. Allow it in the browser’s settings for this page, or type the code.',
  NotFoundError: 'This device has no camera. Type the code instead.',
  NotReadableError: 'Another app is using the camera. Close it, or type the code.',
}

/** The back camera's picture; every code in it is told. */
export function Camera({ onCode }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const tell = useRef(onCode)
  const [problem, setProblem] = useState<string | null>(null)
  tell.current = onCode

  useEffect(() => {
    const stop = new AbortController()
    const view = video.current
    if (view)
      startCamera(view, stop.signal, (text) => tell.current(text)).catch((error: unknown) => {
        if (stop.signal.aborted) return
        const name = error instanceof Error ? error.name : ''
        setProblem(problems[name] ?? 'The camera could not be started. Type the code instead.')
      })
    return () => stop.abort()
  }, [])

  return (
    <div className="scan-view">
      <video ref={video} muted playsInline aria-label="Camera" />
      {problem && <p role="alert">{problem}</p>}
    </div>
  )
}

async function startCamera(view: HTMLVideoElement, signal: AbortSignal, onCode: (text: string) => void): Promise<void> {
  if (!navigator.mediaDevices) throw new Error('A page without TLS gets no camera.')
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  const end = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  if (signal.aborted) return end()
  signal.addEventListener('abort', end)
  view.srcObject = stream
  await view.play()
  await readCodes(view, signal, onCode)
}
