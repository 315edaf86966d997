import type { Endpoint, Input, Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { fromAnswer } from '../../contract/wire.ts'
import { readToken } from '../session/token.ts'
import { notify, notifyRefusal } from '../ui/notices/notify.ts'
import type { Answer } from './answer.ts'
import { noteLastSeen } from './last-seen.ts'
import { readJson, type SendOptions, send } from './send.ts'
import { noteServerTime } from './server-time.ts'

/** The one call whose answers the service worker stores. */
const TICKET_PATH = '/api/registration/getRegistration'

export interface Full<E extends Endpoint> {
  payload: Payload<E>
  /** The token of a new session, from the header `authorization`. */
  token: string | null
}

export interface CallOptions extends SendOptions {
  /** The page itself shows that no answer came. Refusals with a sentence are still shown as notifications. */
  quiet?: boolean
  /** The reason for the failure has already been shown. */
  isTold?: boolean
  /** The page itself says that there is no such thing. */
  saysMissing?: boolean
}

/** Makes one call and returns its payload. A sentence in the answer is shown; a refusal is shown and rethrown. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: CallOptions = {},
): Promise<Payload<E>> {
  return (await callFull(endpoint, input, options)).payload
}

/** Like `call`, but also returns the token from the answer's headers. */
export async function callFull<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: CallOptions = {},
): Promise<Full<E>> {
  const token = readToken()
  const { quiet = false, isTold = false, background = false, saysMissing = false } = options
  let isAnswered = false
  try {
    const { status, headers, body } = await sendWithProof(endpoint, input, options)
    isAnswered = true
    if (!headers.has('x-last-seen')) noteServerTime(headers.get('date'))
    if (endpoint.path === TICKET_PATH) noteLastSeen(headers.get('x-last-seen'))
    const { payload, msg } = fromAnswer(endpoint, status, body)
    if (msg && !background) notify('success', msg)
    return { payload, token: headers.get('authorization') }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const isRead = background || endpoint.method === 'GET'
    if (error.code === 'SIGN_IN_NEEDED' && (token !== null || !isRead)) {
      if (await isSignedInAgain(token, isRead)) return callFull(endpoint, input, options)
    } else if (error.code === 'CONFIRM_IDENTITY' && !background) {
      // Whoever closes the dialog knows why nothing was done.
      if (await isConfirmed(error.payload)) return callFull(endpoint, input, options)
    } else if (!background && !isTold && (isAnswered || !quiet) && !isSaidOtherwise(error, saysMissing))
      notifyRefusal(error)
    throw error
  }
}

/**
 * The pages that send a key explain its refusal in plainer words, those of a ticket that there is none, and those that need a second factor ask
 * for it.
 */
function isSaidOtherwise({ code }: Refusal, saysMissing: boolean): boolean {
  return (
    code === 'IDEMPOTENCY_MISMATCH' ||
    code.includes('SECOND_FACTOR') ||
    (saysMissing && (code === 'NOT_FOUND' || code === 'TICKET_HANDED_ON'))
  )
}

/** Sends the call; if the server asks for a proof of work, computes it and sends the same call again. */
async function sendWithProof<E extends Endpoint>(endpoint: E, input: Input<E>, options: CallOptions): Promise<Answer> {
  const ask = (header?: CallOptions['header']) =>
    send(endpoint, input, header ? { ...options, header } : options, readAnswer)
  const answer = await ask()
  if (answer.status !== 429) return answer
  // Loaded only when needed, which is rare. If it cannot be loaded, the refusal is shown.
  const proof = await import('./proof.ts').catch(() => null)
  return proof ? proof.proveAndSend(answer, ask) : answer
}

async function readAnswer(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, body: await readJson(response) }
}

/** Whether the person has proved again who they are, so that the call can be repeated. */
export async function isConfirmed(payload: unknown): Promise<boolean> {
  const part = await import('../session/confirm-identity.ts').catch(() => null)
  return part ? part.confirmIdentity(payload) : false
}

/** Whether the person has signed in again, so that the call can be repeated. */
export async function isSignedInAgain(token: string | null, isRead: boolean): Promise<boolean> {
  const part = await import('../session/sign-in-again.ts').catch(() => null)
  return part ? part.signInAgain(token, isRead) : false
}
