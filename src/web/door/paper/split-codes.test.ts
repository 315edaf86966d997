import { expect, test } from 'vitest'
import { splitCodes } from './split-codes.ts'

test('codes are separated by spaces, commas, semicolons or new lines, and count once', () => {
  expect(splitCodes(' 42, 43;44\n45-9F3A1C7B\t42,,')).toEqual(['42', '43', '44', '45-9F3A1C7B'])
  expect(splitCodes(' \n')).toEqual([])
})
