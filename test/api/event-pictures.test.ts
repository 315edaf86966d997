import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import sharp from 'sharp'
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
    const text = items
      .map((item) => ('str' in item ? item.str : ''))
      .join(' ')
      .replace(/ +/g, ' ')
    for (const part of ['Annual General', 'Summer Party', 'Friday 27/11/2026', location, 'Scan and register', 'Free'])
      expect(text).toContain(part)
  }
  expect((await poster('A0')).status).toBe(422)
  await app.call(eventApi.save, { id: event.id, status: 'draft' }, token)
  expect((await poster('A4')).status).toBe(404)
})

test('a poster has the club’s logo and is in its colour', async () => {
  const { event, club, token, sudo } = await makeFixture(app)
  const drawn = async () => {
    const answer = await app.raw(eventApi.getPoster, { eventId: event.id, size: 'A4' }, { authorization: token })
    const data = new Uint8Array(await answer.arrayBuffer())
    const document = await getDocument({ data, useSystemFonts: false, disableFontFace: true, verbosity: 0 }).promise
    const { fnArray, argsArray } = await (await document.getPage(1)).getOperatorList()
    const grounds = argsArray
      .filter((_, at) => fnArray[at] === OPS.setFillRGBColor)
      .map((each) => [...Object.values(each)].join())
    return { hasPicture: fnArray.includes(OPS.paintImageXObject), ground: grounds[0] }
  }
  expect(await drawn()).toEqual({ hasPicture: false, ground: '100,100,211' })
  const logo = await sharp({ create: { width: 90, height: 40, channels: 4, background: '#c00' } })
    .png()
    .toBuffer()
  const body = new FormData()
  body.append('id', String(club.id))
  body.append('colour', '#0b6e4f')
  body.append('logo', new Blob([new Uint8Array(logo)], { type: 'image/png' }), 'logo.png')
  const headers = { authorization: sudo.token }
  expect((await fetch(`${app.url}/api/club/save`, { method: 'POST', body, headers })).status).toBe(200)
  expect(await drawn()).toEqual({ hasPicture: true, ground: '11,110,79' })
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
