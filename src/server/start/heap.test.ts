import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { HEAP_FLAG } from './heap.ts'

test('this version of Node.js knows the flag', () => {
  expect(execFileSync(process.execPath, [HEAP_FLAG, '-p', '1'], { encoding: 'utf8' })).toBe('1\n')
})
