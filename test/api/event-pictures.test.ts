import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { makeFixture } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('a poster is made for a published event alone', async () => {
  const location = 'Boathouse Lane 4'
  const { event, token } = await makeFixture(app, { name: 'Annual General Meeting and Summer Party', location })
  const poster = (size: string, eventId = event.id) =>
    fetch(`${app.url}/api/event/getPoster?eventId=${eventId}&size=${size}`, { headers: { authorization: token } })
  for (const size of ['A4', 'A3']) {
    const answer = await poster(size)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const data = new Uint8Array(await answer.arrayBuffer())
    const document = await getDocument({ data, useSystemFonts: false, disableFontFace: true, verbosity: 0 }).promise
    expect(document.numPages).toBe(1)
    const { items } = await (await document.getPage(1)).getTextContent()
    const text = items.map((item) => ('str' in item ? item.str : '')).join('')
    for (const part of ['Annual General', 'Summer Party', 'Friday 27/11/2026', location, 'Scan and register', 'Free'])
      expect(text).toContain(part)
  }
  expect((await poster('A0')).status).toBe(422)
  await app.call(eventApi.save, { id: event.id, status: 'draft' }, token)
  expect((await poster('A4')).status).toBe(404)
})

test('a drawn cover follows from its address and never changes', async () => {
  const cover = async (file: string) => {
    const answer = await fetch(`${app.url}/cover/${file}`)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const one = await cover('0a1b2c3d-6464d3.svg')
  expect([one.status, one.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(one.headers.get('cache-control')).toContain('immutable')
  expect((await cover('0a1b2c3d-6464d3.svg')).text).toBe(one.text)
  expect((await cover('0a1b2c3e-6464d3.svg')).text).not.toBe(one.text)
  for (const wrong of ['x.svg', '0a1b2c3d-6464d3.png', '0a1b2c3d-64.svg']) expect((await cover(wrong)).status).toBe(404)
})
