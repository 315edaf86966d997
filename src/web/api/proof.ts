import * as z from 'zod/mini'
import { PROOF_HEADER, type Proof, proofNeeded } from '../../contract/proofs.ts'
import type { Answer } from './answer.ts'

import { proving } from './proof-state.ts'

type Header = [name: string, value: string]

/** How often a challenge is solved before the refusal is shown. */
const MOST_PROOFS = 3

/** Handles a refusal that carries a challenge: solves it and sends the call again, until there is a different answer. */
export async function proveAndSend(refused: Answer, send: (header: Header) => Promise<Answer>): Promise<Answer> {
  let answer = refused
  for (let proofs = 0; answer.status === 429 && proofs < MOST_PROOFS; proofs++) {
    const asked = refusal.safeParse(answer.body)
    const header = asked.success ? await proofHeader(asked.data.payload) : null
    if (!header) return answer
    answer = await send(header)
  }
  return answer
}

const refusal = z.object({ code: z.literal('PROOF_NEEDED'), payload: proofNeeded })

/** A solved challenge as a header; null when it could not be solved. */
async function proofHeader({ challenge }: z.output<typeof proofNeeded>): Promise<Header | null> {
  const solution = await proving(solveInWorker(challenge)).catch(() => null)
  return solution && [PROOF_HEADER, btoa(JSON.stringify({ challenge, solution }))]
}

/** The thread's result; null when it found nothing. */
export type Solved = Proof['solution'] | null

/** Runs in its own thread, so that the page stays responsive. */
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
