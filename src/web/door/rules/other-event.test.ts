import { expect, test } from 'vitest'
import { readQr, shortCode, ticketUrl } from '../../../contract/values/ticket-codes.ts'
import { elsewhereHash } from './code-hash.ts'
import { judge } from './judge.ts'
import { otherEventOf, toOtherEvents } from './other-event.ts'

const SECRET = '9f3a1c7b-1b2c-4d3e-8f4a-5b6c7d8e9f0a'
const timeZone = 'Europe/Berlin'
const concert = { name: 'Concert', startsAt: new Date('2026-11-28T18:00:00Z'), timeZone }
const ball = { name: 'Ball', startsAt: new Date('2026-11-29T19:30:00Z'), timeZone }

/** Marks as the server makes them, each of a hash and the position of an event. */
function othersOf(marks: [hash: number, position: number][]) {
  const numbers = marks.map(([hash, position]) => (hash ^ position) >>> 0).sort((a, b) => a - b)
  const bytes = numbers.flatMap((mark) => [24, 16, 8, 0].map((shift) => (mark >>> shift) & 0xff))
  return toOtherEvents({ events: [concert, ball], marks: btoa(String.fromCharCode(...bytes)) })
}

const hashOf = (id: number) => elsewhereHash({ id, qrUuid: SECRET })
const urlOf = (id: number) => ticketUrl('https://club.example', { id, qrUuid: SECRET })
const find = (text: string, others: ReturnType<typeof othersOf> | null) => {
  const content = readQr(text)
  return content && otherEventOf(content, others)
}

test('a ticket is found among the marks of all events, first and last too, and others are not', () => {
  const others = othersOf(Array.from({ length: 500 }, (_, id) => [hashOf(id + 1), id % 2]))
  for (let id = 1; id <= 500; id++) expect(find(urlOf(id), others)).toBe(id % 2 === 1 ? concert : ball)
  for (let id = 501; id <= 1_000; id++) expect(find(urlOf(id), others)).toBe(null)
  expect(find(urlOf(1), null)).toBe(null)
  expect(find(urlOf(1), othersOf([]))).toBe(null)
})

test('marks that begin alike are told apart, and one of no known event is none', () => {
  const hash = hashOf(7)
  const alike = (hash ^ 0x40) >>> 0
  expect(
    find(
      urlOf(7),
      othersOf([
        [alike, 0],
        [hash, 1],
      ]),
    ),
  ).toBe(ball)
  expect(find(urlOf(7), othersOf([[alike, 0]]))).toBe(null)
})

test('a typed short code and a voucher are not recognized: their hash would give their secret away', () => {
  const others = othersOf([[hashOf(7), 0]])
  expect(find(shortCode({ id: 7, qrUuid: SECRET }), others)).toBe(null)
  expect(find(`${urlOf(7)}?type=voucher`, others)).toBe(null)
})

test('the verdict says which event it is, and when', () => {
  const event = {
    ...{ id: 1, name: 'Party', location: '', timeZone, status: 'published' as const },
    ...{ startsAt: new Date('2026-11-27T18:00:00Z'), endsAt: new Date('2026-11-27T22:00:00Z') },
  }
  const list = { cursor: '', event, questions: [], conflicts: 0, tickets: new Map(), readAt: event.startsAt }
  expect(judge(urlOf(7), list, new Map(), othersOf([[hashOf(7), 0]]))?.verdict).toMatchObject({
    kind: 'refused',
    code: 'WRONG_EVENT',
    word: 'Other event',
    detail: 'Concert (Saturday 19:00)',
    name: null,
  })
  expect(judge(urlOf(8), list, new Map(), othersOf([[hashOf(7), 0]]))?.verdict.code).toBe('NOT_FOUND')
})
