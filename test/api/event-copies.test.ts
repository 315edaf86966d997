import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi } from '../../src/contract/forms.ts'
import { makeExtras, makeFixture, makeForm, makeRegistration } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const question = { typeId: 2, text: 'Meal', required: true, options: ['Fish', 'Beans'], showAtDoor: true }

test('a copy has the form, the vouchers and the times of day, but nobody is registered for it', async () => {
  const { event, token } = await makeFixture(app, {
    description: 'Bring **friends**.',
    location: 'Boathouse',
    maxAttendees: 50,
    timeZone: 'Europe/Berlin',
    // 19:00 in winter time; registration closes the evening before.
    startsAt: new Date('2027-03-20T18:00:00Z'),
    endsAt: new Date('2027-03-20T22:00:00Z'),
    registrationClosesAt: new Date('2027-03-19T18:00:00Z'),
  })
  await makeForm(app, token, event.id, [question, { ...question, text: 'Shirt' }])
  await makeExtras(app, token, event.id, { name: 'Drinks', content: [{ name: 'Drink', quantity: 3 }], maxQuantity: 5 })
  const [meal, shirt] = await app.call(formApi.getFormQuestions, { eventId: event.id })
  const others = [meal, shirt].map((each) => ({ qId: each?.id ?? 0, answer: 'Fish' }))
  const [drinks] = await app.call(extrasApi.getExtras, { eventId: event.id })
  await makeRegistration(app, event, { others, extrasIds: [drinks?.id ?? 0] })

  // 19:00 in summer time.
  const startsAt = new Date('2027-04-03T17:00:00Z')
  const copy = await app.call(eventApi.copy, { payload: { eventId: event.id, startsAt } }, token)
  expect(copy).toMatchObject({
    name: event.name,
    description: 'Bring **friends**.',
    location: 'Boathouse',
    maxAttendees: 50,
    status: 'draft',
    registrationCount: 0,
    startsAt,
    endsAt: new Date('2027-04-03T21:00:00Z'),
    registrationClosesAt: new Date('2027-04-02T17:00:00Z'),
    registrationOpensAt: null,
  })
  expect(copy.id).not.toBe(event.id)
  const form = await app.call(formApi.getFormQuestions, { eventId: copy.id }, token)
  expect(form.map(({ text, options, required, showAtDoor }) => ({ text, options, required, showAtDoor }))).toEqual(
    ['Meal', 'Shirt'].map((text) => ({ text, options: ['Fish', 'Beans'], required: true, showAtDoor: true })),
  )
  expect(form.map(({ id }) => id)).not.toContain(meal?.id)
  const [voucher, ...more] = await app.call(extrasApi.getExtras, { eventId: copy.id }, token)
  expect(voucher).toMatchObject({
    name: 'Drinks',
    content: [{ name: 'Drink', quantity: 3 }],
    maxQuantity: 5,
    soldCount: 0,
  })
  expect(more).toEqual([])
})

test('a copy has a banner of its own, which stays when the original goes', async () => {
  const { event, token } = await makeFixture(app)
  const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#6464d3' } })
    .jpeg()
    .toBuffer()
  const body = new FormData()
  body.append('id', String(event.id))
  body.append('banner', new Blob([new Uint8Array(bytes)]), 'banner.jpg')
  const saved = await fetch(`${app.url}/api/event/save`, { method: 'POST', headers: { authorization: token }, body })
  const { banner } = (await saved.json()).payload
  const startsAt = new Date('2027-04-03T17:00:00Z')
  const copy = await app.call(eventApi.copy, { payload: { eventId: event.id, startsAt } }, token)
  expect(copy.banner).toMatch(/^[0-9a-f]{32}\.jpg$/)
  expect(copy.banner).not.toBe(banner)
  expect(copy.bannerRatio).toBeCloseTo(1.5)
  await app.call(eventApi.save, { id: event.id, removeBanner: true }, token)
  expect((await fetch(`${app.url}/api/event-banner/${banner}`)).status).toBe(404)
  expect((await fetch(`${app.url}/api/event-banner/${copy.banner}`)).status).toBe(200)
})
