import type { Verdict } from '../rules/verdict.ts'

/** Tones as [pitch in Hz, start, length in s]: rising when somebody is let in, falling and longer otherwise. */
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
/** Vibration in ms on and off: once when somebody is let in, three times otherwise. */
const ONCE = [120]
const THREE_TIMES = [120, 80, 120, 80, 120]

let audio: AudioContext | null = null

const listeners = new Set<() => void>()

/**
 * Starts the sound. Browsers allow it only after a touch, which may have been before this page was opened. Every later touch and key
 * starts it again, because a call ends the sound on iPhones.
 */
export function allowSound(): () => void {
  const start = () => {
    if (!audio && 'AudioContext' in window) {
      audio = new AudioContext()
      audio.addEventListener('statechange', emitSoundState)
    }
    void audio?.resume().catch(() => {})
  }
  const seen = () => document.visibilityState === 'visible' && audio && start()
  if ('userActivation' in navigator && navigator.userActivation.hasBeenActive) start()
  window.addEventListener('pointerdown', start)
  window.addEventListener('keydown', start)
  document.addEventListener('visibilitychange', seen)
  return () => {
    window.removeEventListener('pointerdown', start)
    window.removeEventListener('keydown', start)
    document.removeEventListener('visibilitychange', seen)
  }
}

function emitSoundState(): void {
  for (const listener of listeners) listener()
}

/** Whether sound can be played; also true if the browser has no sound, so that nobody is asked to tap in vain. */
export function hasSound(): boolean {
  return audio?.state === 'running' || !('AudioContext' in window)
}

/** For `useSyncExternalStore`. */
export function subscribeSound(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Signals a verdict by sound and vibration. */
export function giveFeedback(kind: Verdict['kind'], hasSound: boolean): void {
  // Vibration is missing on iPhones, and refused before the first touch.
  if ('vibrate' in navigator) navigator.vibrate(kind === 'in' ? ONCE : THREE_TIMES)
  if (!hasSound || audio?.state !== 'running') return
  for (const [pitch, start, length] of tones[kind]) play(audio, pitch, audio.currentTime + start, length)
}

function play(context: AudioContext, pitch: number, start: number, length: number): void {
  const oscillator = context.createOscillator()
  const volume = context.createGain()
  oscillator.frequency.value = pitch
  volume.gain.setValueAtTime(VOLUME, start)
  // Without a fade-out the tone ends with a click.
  volume.gain.exponentialRampToValueAtTime(0.001, start + length)
  oscillator.connect(volume).connect(context.destination)
  oscillator.start(start)
  oscillator.stop(start + length)
}
