import { lookup } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { DeliveryFailure } from '../../contract/webhooks.ts'
import { isLoopback, isPublicAddress } from './addresses.ts'

/** How long the whole try may take, in ms. */
export const TIMEOUT_MS = 10_000
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
  return family ? [{ address: host, family }] : lookup(host, { all: true })
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
    sending.on('response', (answer) => {
      const { statusCode = 0 } = answer
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MOST_BYTES) sending.destroy()
      })
      // The status says all, also when the rest of the answer does not come.
      answer.on('error', () => resolve(statusCode))
      answer.on('close', () => resolve(statusCode))
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
