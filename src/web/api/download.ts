import type { Endpoint, Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { fromAnswer } from '../../contract/wire.ts'
import { readToken } from '../session/token.ts'
import { notifyRefusal } from '../ui/notices/notify.ts'
import { saveFile } from '../ui/save-file.ts'
import { isConfirmed, isSignedInAgain } from './call.ts'
import { readJson, send } from './send.ts'

/**
 * Fetches the file that a call answers with and lets the browser save it. There is no time limit as long as bytes keep
 * arriving. A refusal is shown and rethrown.
 */
export async function download<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<void> {
  const token = readToken()
  try {
    const { status, headers, file, body } = await send(endpoint, input, {}, async (response, alive) => ({
      status: response.status,
      headers: response.headers,
      file: response.ok ? await readFile(response, alive) : null,
      body: response.ok ? null : await readJson(response),
    }))
    if (!file) {
      fromAnswer(endpoint, status, body)
      return
    }
    const name = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'download'
    saveFile(file, name)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'SIGN_IN_NEEDED' && token !== null) {
      // Treated like a write, because somebody is waiting for the file.
      if (await isSignedInAgain(token, false)) return download(endpoint, input)
    } else if (error.code === 'CONFIRM_IDENTITY') {
      if (await isConfirmed(error.payload)) return download(endpoint, input)
    } else notifyRefusal(error)
    throw error
  }
}

async function readFile(response: Response, alive: () => void): Promise<Blob> {
  const reader = response.body?.getReader()
  if (!reader) return response.blob()
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (;;) {
    alive()
    const { done, value } = await reader.read()
    if (done) return new Blob(parts, { type: response.headers.get('content-type') ?? '' })
    parts.push(value)
  }
}
