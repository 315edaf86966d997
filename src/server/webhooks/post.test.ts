import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isAllowedUrl, post } from './post.ts'

// What the name server answers is outside of us.
const names = vi.hoisted(() => ({ answer: async (): Promise<string[]> => [] }))
vi.mock('node:dns/promises', () => {
  const familyOf = (address: string) => (address.includes(':') ? 6 : 4)
  const resolve = async (family: number) => (await names.answer()).filter((address) => familyOf(address) === family)
  return {
    lookup: async () => (await names.answer()).map((address) => ({ address, family: familyOf(address) })),
    Resolver: class {
      resolve4 = () => resolve(4)
      resolve6 = () => resolve(6)
    },
  }
})

let server: Server
let asked: number
let port: number
beforeEach(async () => {
  asked = 0
  server = createServer((_request, answer) => {
    asked++
    answer.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port // A TCP server's address is never the text of a pipe.
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const message = { headers: {}, body: '{}', timeoutMs: 2_000 }
/** The name server answers with these. */
function found(...addresses: string[]): void {
  names.answer = async () => addresses
}

test('a name that leads to this machine or the network around it is refused before any connection', async () => {
  for (const addresses of [['127.0.0.1'], ['10.0.0.1'], ['::ffff:127.0.0.1'], ['8.8.8.8', '192.168.0.1'], []]) {
    found(...addresses)
    const answer = await post(`https://hooks.example:${port}/`, { ...message, allowLocal: false })
    expect([addresses, answer]).toEqual([addresses, { answerCode: null, failure: 'address' }])
  }
  expect(asked).toBe(0)
})

test('the connection goes to the address that was checked, whatever the name leads to otherwise', async () => {
  found('127.0.0.1')
  // Without our own answer this name is not found at all.
  const answer = await post(`http://localhost:${port}/`, { ...message, allowLocal: true })
  expect(answer).toEqual({ answerCode: 204, failure: null })
  found('127.0.0.2')
  expect(await post(`http://localhost:${port}/`, { ...message, allowLocal: true })).toEqual({
    answerCode: null,
    failure: 'unreachable',
  })
  expect(asked).toBe(1)
})

test('a name server that does not answer is a timeout', async () => {
  names.answer = () => new Promise(() => {})
  const answer = await post('https://hooks.example/', { ...message, allowLocal: false, timeoutMs: 50 })
  expect(answer).toEqual({ answerCode: null, failure: 'timeout' })
})

test('the setting for development opens this machine, and nothing of the network around it', () => {
  expect(isAllowedUrl('http://localhost:3000/', true)).toBe(true)
  expect(isAllowedUrl('http://localhost:3000/', false)).toBe(false)
  for (const url of ['http://10.0.0.1/', 'https://10.0.0.1/', 'http://example.org/'])
    expect(isAllowedUrl(url, true)).toBe(false)
})
