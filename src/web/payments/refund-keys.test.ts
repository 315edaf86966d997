import { expect, test } from 'vitest'
import { forgetRefundKey, refundKey } from './refund-keys.ts'

test('a refund keeps its key until it is answered or more has been given back', () => {
  const key = refundKey(1, 0)
  expect(refundKey(1, 0)).toBe(key)
  expect(refundKey(1, 1000)).not.toBe(key)
  expect(refundKey(2, 0)).not.toBe(key)
  forgetRefundKey(1, 0)
  expect(refundKey(1, 0)).not.toBe(key)
})
