import { lookup, Resolver } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { DeliveryFailure } from '../../contract/webhooks.ts'
import { isLoopback, isPublicAddress } from './addresses.ts'

/** How long the whole try may take, in ms. */
export const TIMEOUT_MS = 10_000
/** How long a name server may take for one try, in ms. */
const LOOKUP_MS = 2_000
/** More of an answer than this is not read. */
const MOST_BYTES = 16_384

/** The HTTP status of the answer, or why there was none. */
export type Answer = { answerCode: number; failure: null } | { answerCode: null; failure: DeliveryFailure }

interface Options {
  headers: Record<string, string>
  body: string
  /** Whether this machine may be written to, also without TLS: for development. */
  allowLocal: boolean
  timeoutMs?: number
}

const failed = (failure: DeliveryFailure): Answer => ({ answerCode: null, failure })

/** Whether a webhook may have this address, as far as the address itself tells. */
export function isAllowedUrl(url: string, allowLocal: boolean): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  const host = bare(hostname)
  const isLocal = host === 'localhost' || isLoopback(host)
  if (isLocal) return allowLocal
  return protocol === 'https:' && (isIP(host) === 0 || isPublicAddress(host))
}

/**
 * Sends a message and returns the answer's status. Redirects are not followed. The name is looked up here, once, and the connection goes to
 * the addresses found: a name that is answered differently a second time gains nothing.
 */
export async function post(url: string, options: Options): Promise<Answer> {
  const { allowLocal, timeoutMs = TIMEOUT_MS } = options
  if (!isAllowedUrl(url, allowLocal)) return failed('address')
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const target = new URL(url)
    const addresses = await Promise.race([addressesOf(bare(target.hostname)), aborted(signal)])
    const isAllowed = (address: string) =>
      isLoopback(address) ? allowLocal : target.protocol === 'https:' && isPublicAddress(address)
    if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address))) return failed('address')
    return { answerCode: await send(target, { ...options, addresses, signal }), failure: null }
  } catch {
    return failed(signal.aborted ? 'timeout' : 'unreachable')
  }
}

interface Found {
  address: string
  family: number
}

async function addressesOf(host: string): Promise<Found[]> {
  const family = isIP(host)
  if (family) return [{ address: host, family }]
  if (host === 'localhost') return lookup(host, { all: true })
  // Not the system's look-up, whose few threads the connections to Stripe and the mail server need too, and which cannot be given up.
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return answers.flatMap((answer, n) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: n === 0 ? 4 : 6 })) : [],
  )
}

function send(
  target: URL,
  { headers, body, addresses, signal }: Options & { addresses: Found[]; signal: AbortSignal },
): Promise<number> {
  const [first] = addresses
  const found: LookupFunction = (_host, { all }, answer) =>
    all ? answer(null, addresses) : answer(null, first?.address ?? '', first?.family)
  const request = target.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const sending = request(target, {
      method: 'POST',
      headers: { ...headers, ...length },
      agent: false,
      lookup: found,
      signal,
    })
    sending.on('error', reject)
    // Also without an error, as after a switch of protocols that nobody asked for.
    sending.on('close', () => reject(new Error('The connection was closed without an answer.')))
    sending.on('response', (answer) => {
      // The status says all: nobody waits for the rest, which is read only so that the receiver ends in order.
      resolve(answer.statusCode ?? 0)
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MOST_BYTES) sending.destroy()
      })
      answer.on('error', () => {})
    })
    sending.end(body)
  })
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
}

/** A host name without the brackets of an IPv6 address. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')
