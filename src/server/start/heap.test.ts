import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { HEAP_FLAGS } from './heap.ts'

test.each(HEAP_FLAGS)('this version of Node.js knows the flag %s', (flag) => {
  expect(execFileSync(process.execPath, [flag, '-p', '1'], { encoding: 'utf8' })).toBe('1\n')
})
