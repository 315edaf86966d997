import { expect, test } from 'vitest'
import { formatBytes } from './format-bytes.ts'

test.each([
  [0, '0 byte'],
  [999, '999 byte'],
  [1_500_000, '2 MB'],
  [1_540_000_000, '1.5 GB'],
  [5_000_000_000_000_000, '5,000 TB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
