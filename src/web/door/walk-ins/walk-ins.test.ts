import { expect, test } from 'vitest'
import type { QueueEntry } from '../rules/queue-entry.ts'
import { placesLeft, takenBackWalkIns, toConfirm, waitingWalkIns, withQuota } from './walk-ins.ts'

const quota = (granted: number, used = 0, wanted = granted) => ({ isLimited: true, granted, used, wanted })

test('a phone gives away what it keeps, less what it has given, and never what it is to give back', () => {
  expect(placesLeft({ quota: quota(5), made: 2 })).toBe(3)
  expect(placesLeft({ quota: quota(5, 0, 3), made: 2 })).toBe(1)
  expect(placesLeft({ quota: quota(5, 0, 1), made: 2 })).toBe(0)
  expect(placesLeft({ quota: { ...quota(0), isLimited: false }, made: 40 })).toBeNull()
})

test('it gives back what is not used, once', () => {
  expect(toConfirm({ quota: quota(5), made: 2 })).toBeNull()
  expect(toConfirm({ quota: quota(5, 0, 1), made: 2 })).toBe(2)
  expect(toConfirm({ quota: quota(5, 0, 4), made: 2 })).toBe(4)
  expect(toConfirm({ quota: quota(5, 0, 1), made: 5 })).toBeNull()
})

test('the server’s number of used places counts when nobody waits to be sent; otherwise the larger one does', () => {
  const before = { quota: quota(5), made: 3 }
  expect(withQuota(before, quota(5, 1), { waiting: 0, isSettled: true }).made).toBe(1)
  expect(withQuota(before, quota(5, 1), { waiting: 1, isSettled: false }).made).toBe(3)
  expect(withQuota(before, quota(5, 3), { waiting: 1, isSettled: false }).made).toBe(4)
  // A phone whose storage was cleared, with people still to be sent.
  expect(withQuota(null, quota(5, 1), { waiting: 2, isSettled: false }).made).toBe(3)
})

test('whoever was taken back does not wait, but has the place until that is sent', () => {
  const registrationData = { name: 'Ada', email: '', phone: '', others: [] }
  const made = { clock: 0, running: 0, page: '', ahead: 0 }
  const entry = (scanId: string, act: QueueEntry['act']): QueueEntry => ({
    ...{ eventId: 1, ticketId: 0, wasShownIn: true, by: '', made, scanId, act },
  })
  const added = (scanId: string) =>
    entry(scanId, { kind: 'walk-in', registrationData, extrasIds: [], idempotencyKey: scanId })
  const queue = [added('a'), added('b'), entry('c', { kind: 'undo', scanId: 'a' })]
  expect(waitingWalkIns(queue).map(({ scanId }) => scanId)).toEqual(['b'])
  expect(takenBackWalkIns(queue).map(({ scanId }) => scanId)).toEqual(['a'])
})
