import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fastifyCookie from '@fastify/cookie'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { sendSecurityHeaders } from '../security-headers.ts'
import { serveWeb } from './web-files.ts'

test('browsers keep files named by their content for a year, ask again for the service worker, and keep no page', async () => {
  const webDir = mkdtempSync(join(tmpdir(), 'turnout-web-'))
  for (const path of [
    '.shells/en/index.html',
    'assets/index-Ab12.js',
    'service-worker.js',
    'favicon.svg',
    'favicon.svg.br',
  ]) {
    mkdirSync(dirname(join(webDir, path)), { recursive: true })
    writeFileSync(join(webDir, path), 'x')
  }
  const app = fastify()
  await app.register(fastifyCookie)
  sendSecurityHeaders(app, { isHttps: true })
  await serveWeb(app, webDir, {
    site: { baseUrl: 'https://turnout.test', stripeKey: null },
    checkoutOrigin: null,
    headFor: async () => '',
    languagesOf: async () => ({ offered: ['en'], own: null }),
    movedTo: async () => null,
    renderer: null,
    calls: new Map(),
    now: () => new Date(),
    countForm: async () => {},
  })
  const cacheControl = async (url: string) => (await app.inject({ url })).headers['cache-control']
  expect(await cacheControl('/assets/index-Ab12.js')).toBe('public, max-age=31536000, immutable')
  expect(await cacheControl('/service-worker.js')).toBe('no-cache')
  expect(await cacheControl('/favicon.svg')).toBe('public, max-age=3600')
  expect(await cacheControl('/club/1')).toBe('no-store')
  const policy = async (url: string) => (await app.inject({ url })).headers['content-security-policy']
  expect(await policy('/favicon.svg')).toBe("default-src 'none';frame-ancestors 'none'")
  // The service worker may fetch, and pages may load their script.
  expect(await policy('/service-worker.js')).toContain("connect-src 'self'")
  expect(await policy('/club/1')).toContain("script-src 'self'")
  const head = await app.inject({ method: 'HEAD', url: '/favicon.svg' })
  expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([200, 'image/svg+xml', ''])
  expect(
    (await app.inject({ url: '/favicon.svg', headers: { 'accept-encoding': 'br' } })).headers['content-encoding'],
  ).toBe('br')
  // Missing, not an address of ours, or outside the folder.
  for (const url of ['/assets/gone.js', '/api/nothing', '/assets/..%2f..%2fetc%2fpasswd'])
    expect((await app.inject({ url })).statusCode).toBe(404)
  expect((await app.inject({ url: '/index.html' })).headers['cache-control']).toBe('no-store')
  expect((await app.inject({ method: 'POST', url: '/favicon.svg' })).statusCode).toBe(404)
  await app.close()
  rmSync(webDir, { recursive: true })
})
