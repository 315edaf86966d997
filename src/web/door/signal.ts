import type { Verdict } from './verdict.ts'

/** Tones as [pitch in Hz, start, length in s]: rising for those who come in, falling and longer for those who do not. */
const tones: Readonly<Record<Verdict['kind'], readonly (readonly [number, number, number])[]>> = {
  in: [
    [880, 0, 0.09],
    [1320, 0.09, 0.14],
  ],
  already: [
    [660, 0, 0.14],
    [660, 0.2, 0.14],
  ],
  refused: [
    [330, 0, 0.18],
    [247, 0.2, 0.32],
  ],
  unsure: [[440, 0, 0.3]],
}
const VOLUME = 0.25
/** Milliseconds on and off: once for those who come in, three times for the others. */
const ONCE = [120]
const THREE_TIMES = [120, 80, 120, 80, 120]

let audio: AudioContext | null = null

/** Browsers let a page sound only after somebody has touched it: this makes use of the first touch or key. */
export function allowSound(): () => void {
  const start = () => {
    audio ??= 'AudioContext' in window ? new AudioContext() : null
    void audio?.resume().catch(() => {})
  }
  window.addEventListener('pointerdown', start)
  window.addEventListener('keydown', start)
  return () => {
    window.removeEventListener('pointerdown', start)
    window.removeEventListener('keydown', start)
  }
}

/** Lets a verdict be heard and felt. */
export function signal(kind: Verdict['kind'], hasSound: boolean): void {
  // Missing on iPhones, and refused before the first touch.
  if ('vibrate' in navigator) navigator.vibrate(kind === 'in' ? ONCE : THREE_TIMES)
  if (!hasSound || audio?.state !== 'running') return
  for (const [pitch, start, length] of tones[kind]) play(audio, pitch, audio.currentTime + start, length)
}

function play(context: AudioContext, pitch: number, start: number, length: number): void {
  const oscillator = context.createOscillator()
  const volume = context.createGain()
  oscillator.frequency.value = pitch
  volume.gain.setValueAtTime(VOLUME, start)
  // Faded out, or it ends with a click.
  volume.gain.exponentialRampToValueAtTime(0.001, start + length)
  oscillator.connect(volume).connect(context.destination)
  oscillator.start(start)
  oscillator.stop(start + length)
}
