import { PROOF_HEADER, type Proof, proofNeeded } from '../../contract/proofs.ts'
import { proving } from './proof-state.ts'

/** A solved challenge as a header, for the challenge that a refusal carries; null when there is none or it could not be solved. */
export async function proofHeader(payload: unknown): Promise<[name: string, value: string] | null> {
  const asked = proofNeeded.safeParse(payload)
  if (!asked.success) return null
  const { challenge } = asked.data
  const solution = await proving(solveInWorker(challenge))
  return solution && [PROOF_HEADER, btoa(JSON.stringify({ challenge, solution }))]
}

/** What the thread answers; null when it found nothing. */
export type Solved = Proof['solution'] | null

/** In a thread of its own, so that the page never stands still. */
function solveInWorker(challenge: Proof['challenge']): Promise<Solved> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' })
    const finish = (solved: Solved) => {
      worker.terminate()
      resolve(solved)
    }
    worker.onmessage = ({ data }: MessageEvent<Solved>) => finish(data)
    worker.onerror = () => finish(null)
    worker.postMessage(challenge)
  })
}
