import type { Piscina } from 'piscina'
import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import { makeThread } from '../threads/make-thread.ts'
import { type InTurn, makeTurns } from '../turns.ts'
import * as here from './render-thread.ts'

/** The longest that one text may take. The renderer's time grows with the square of some texts: 20 kB can take ten seconds. */
const LIMIT_MS = 3_000

const thread = makeThread('./render-thread.js', { maxOldGenerationSizeMb: 128 }) ?? {
  run: async (markdown: string) => here.render(markdown),
}
const inTurn = makeTurns({ mostWaiting: 50, mostWaitingOfOne: 3 })

interface Text {
  markdown: string
  /** The owner, so that one club cannot fill the queue. */
  owner: string
  /** Path of the text in the input. */
  field: string
}

/**
 * Markdown as HTML (see `renderDescription`), rendered in a thread of its own so that no text can hold up the server. Text that is nested
 * too deeply or takes too long is refused with INVALID_INPUT at `field`.
 */
export const renderApart = makeRenderApart(thread, inTurn, LIMIT_MS)

/** Makes that function for this thread and time limit. */
export function makeRenderApart(
  thread: Pick<Piscina, 'run'>,
  inTurn: InTurn,
  limitMs: number,
): (text: Text) => Promise<string> {
  const run: (markdown: string, signal?: AbortSignal) => Promise<ReturnType<typeof here.render>> = (markdown, signal) =>
    thread.run(markdown, { name: 'render', ...(signal && { signal }) })

  return async ({ markdown, owner, field }) => {
    if (markdown === '') return ''
    const render = async () => {
      // The start of the thread does not count: the limit is for the text alone.
      await run('')
      const timeUp = AbortSignal.timeout(limitMs)
      return run(markdown, timeUp).catch((error: unknown) => {
        // Aborted by our time limit, or by Node for its memory.
        if (timeUp.aborted || isOutOfMemory(error)) return null
        throw error
      })
    }
    const html = await inTurn(render, { owner })
    if (html === null) throw tooComplex(field)
    return html
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooComplex(path: string): Refusal {
  const msg = texts.tooComplexText
  return new Refusal('INVALID_INPUT', { fields: [{ path, msg }] })
}
