import { expect, test } from 'vitest'
import { tooLarge } from './image-limits.ts'

const png = { format: 'png', width: 6_000, height: 4_000, channels: 4, bits: 8, isProgressive: false }
const jpeg = { format: 'jpeg', width: 8_160, height: 6_120, channels: 3, bits: 8, isProgressive: false }

test('what phones and cameras make is accepted', () => {
  expect(tooLarge(png)).toBeNull()
  expect(tooLarge(jpeg)).toBeNull()
  expect(tooLarge({ ...jpeg, width: 4_000, height: 3_000, isProgressive: true })).toBeNull()
  expect(tooLarge({ ...png, width: 4_000, height: 3_000, bits: 16 })).toBeNull()
})

test('what would take more than 96 MB to decode is refused, with its size', () => {
  expect(tooLarge({ ...png, height: 4_001 })?.()).toContain('6000 × 4001 pixels.')
  expect(tooLarge({ ...png, width: 7_000, height: 7_000, bits: 16, isProgressive: true })?.()).toContain('at 16 bits')
  expect(tooLarge({ ...jpeg, isProgressive: true })?.()).toContain('too large')
})

test('what would take too long to decode is refused', () => {
  expect(tooLarge({ ...jpeg, width: 65_000, height: 65_000 })?.()).toContain('too large')
  expect(tooLarge({ ...png, width: 10_000, height: 6_401, channels: 1, bits: 1 })?.()).toContain('too large')
})
