import { expect, test } from 'vitest'
import type { BoardPhone } from '../../contract/board.ts'
import { byUrgency, stateOf } from './phone-state.ts'

const now = new Date('2026-11-27T18:00:00Z')

const phone: BoardPhone = {
  id: 'a',
  helper: 'Hal',
  isPass: true,
  name: 'Gate',
  browser: 'Chrome',
  system: 'Android',
  reportedAt: now,
  listAgeS: 2,
  worksOffline: true,
  camera: 'seen',
  sound: 'on',
  isShown: true,
  queued: 0,
  stuck: 0,
  scans: 0,
  recentScans: 0,
  recentByScanner: 0,
  battery: 80,
  isCharging: false,
  isPractising: false,
  practised: [],
  practisedAt: null,
}
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000)

test.each<[string, Partial<BoardPhone>, string]>([
  ['in order', {}, 'Ready'],
  ['a sound that is off by choice', { sound: 'off' }, 'Ready'],
  ['a report that is one late', { reportedAt: secondsAgo(44) }, 'Ready'],
  ['no report', { reportedAt: secondsAgo(45) }, 'Offline for less than a minute'],
  [
    'no report for long, whatever was wrong before',
    { reportedAt: secondsAgo(250), camera: 'failed' },
    'Offline for 4 min',
  ],
  [
    'no report after the scanner was closed',
    { reportedAt: secondsAgo(7300), isShown: false },
    'Scanner closed for 2 h',
  ],
  ['another app in front', { isShown: false }, 'Not ready: scanner not on the screen'],
  ['no list', { listAgeS: null, worksOffline: false }, 'Not ready: no list yet'],
  ['an old list', { listAgeS: 700 }, 'Not ready: list 11 min old'],
  ['scans that were not accepted', { stuck: 2 }, 'Not ready: 2 scans could not be sent'],
  ['no camera', { camera: 'failed' }, 'Not ready: no camera'],
  ['no camera, but scans from before', { camera: 'failed', recentScans: 3 }, 'Not ready: no camera'],
  ['no camera, but a keyboard scanner', { camera: 'failed', recentScans: 3, recentByScanner: 1 }, 'Ready'],
  ['nothing stored', { worksOffline: false }, 'Not ready: stops without network'],
  ['a sound that waits', { sound: 'blocked' }, 'Not ready: sound waits for a tap'],
  ['practice', { isPractising: true }, 'Practising'],
  ['practice, and a sound that waits', { isPractising: true, sound: 'blocked' }, 'Practising'],
])('a phone with %s', (_, change, headline) => {
  expect(stateOf({ ...phone, ...change }, now).headline).toBe(headline)
})

test('a phone that is ready needs nothing done, but for a battery that is low', () => {
  expect(stateOf(phone, now).advice).toBe('')
  expect(stateOf({ ...phone, battery: 12 }, now).advice).toBe('The battery is low: plug it in.')
  expect(stateOf({ ...phone, battery: 12, isCharging: true }, now).advice).toBe('')
  expect(stateOf({ ...phone, battery: null }, now).advice).toBe('')
})

test('problems come first, and closed scanners last', () => {
  const states = [
    { ...phone, reportedAt: secondsAgo(300), isShown: false },
    phone,
    { ...phone, camera: 'failed' as const },
    { ...phone, reportedAt: secondsAgo(300) },
  ].map((each) => stateOf(each, now))
  expect(states.sort(byUrgency).map(({ look }) => look)).toEqual(['offline', 'not-ready', 'ready', 'closed'])
})
