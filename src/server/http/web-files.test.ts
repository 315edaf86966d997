import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fastifyCookie from '@fastify/cookie'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { serveWeb } from './web-files.ts'

test('browsers keep files named by their content for a year, ask again for the service worker, and keep no page', async () => {
  const webDir = mkdtempSync(join(tmpdir(), 'turnout-web-'))
  for (const path of ['index.html', 'assets/index-Ab12.js', 'service-worker.js', 'favicon.svg']) {
    mkdirSync(dirname(join(webDir, path)), { recursive: true })
    writeFileSync(join(webDir, path), 'x')
  }
  const app = fastify()
  await app.register(fastifyCookie)
  await serveWeb(app, webDir, { baseUrl: 'https://turnout.test', publishableKey: null, headFor: async () => '' })
  const cacheControl = async (url: string) => (await app.inject({ url })).headers['cache-control']
  expect(await cacheControl('/assets/index-Ab12.js')).toBe('public, max-age=31536000, immutable')
  expect(await cacheControl('/service-worker.js')).toBe('no-cache')
  expect(await cacheControl('/favicon.svg')).toBe('public, max-age=3600')
  expect(await cacheControl('/club/1')).toBe('no-store')
  await app.close()
  rmSync(webDir, { recursive: true })
})
