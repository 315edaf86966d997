import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { makeFixture, makeRegistration, scanOf } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(async () => {
  await verify(app.deps.db)
  await app.stop()
})

test('statistics count by the event’s own days, and agree with the list', async () => {
  const { event, token, sudo } = await makeFixture(app)
  app.clock.now = new Date('2026-11-20T22:59:00Z') // 23:59 in Berlin
  const late = await makeRegistration(app, event)
  app.clock.now = new Date('2026-11-20T23:01:00Z') // 00:01 on the next day
  const early = await makeRegistration(app, event)
  const gone = await makeRegistration(app, event)
  await app.call(attendeeApi.updateStatus, { payload: { id: gone.id, eventId: event.id, status: 'cancelled' } }, token)
  await app.call(checkinApi.scanByRegistrationId, scanOf(late), token)
  app.clock.now = new Date('2026-11-20T23:12:00Z')
  await app.call(checkinApi.scanByRegistrationId, scanOf(early), token)
  const read = (date: string, viewer = token) =>
    app.call(statisticsApi.getStatistics, { eventId: event.id, date }, viewer)
  const first = await read('2026-11-20')
  expect(first).toMatchObject({
    historicalRegistrationCount: 1,
    historicalCheckinCount: 0,
    totalRegistrationCount: 2,
    totalCheckinCount: 2,
    arrivals: [],
  })
  const second = await read('2026-11-21', sudo.token)
  expect(second).toMatchObject({ historicalRegistrationCount: 1, historicalCheckinCount: 2 })
  expect(second.series).toEqual([
    { at: new Date('2026-11-19T23:00:00Z'), registrations: 1, checkins: 0 },
    { at: new Date('2026-11-20T23:00:00Z'), registrations: 1, checkins: 2 },
  ])
  expect(second.arrivals).toEqual([
    { at: new Date('2026-11-20T23:00:00Z'), checkins: 1 },
    { at: new Date('2026-11-20T23:05:00Z'), checkins: 0 },
    { at: new Date('2026-11-20T23:10:00Z'), checkins: 1 },
  ])
  expect((await read('1999-01-01')).historicalRegistrationCount).toBe(0)
})
