import { expect, test } from 'vitest'
import { stepsFrom } from './steps.ts'

test('steps go to the neighbours, and stop at the ends', () => {
  expect(stepsFrom([5, 6, 7], 6, 1)).toEqual({ before: 5, after: 7, first: 5, last: 7 })
  expect(stepsFrom([5, 6, 7], 5, 0).before).toBeUndefined()
  expect(stepsFrom([5, 6, 7], 7, 2).after).toBeUndefined()
})

test('somebody who has left the list keeps the neighbours of that place', () => {
  expect(stepsFrom([5, 7], 6, 1)).toMatchObject({ before: 5, after: 7 })
  expect(stepsFrom([5, 6], 7, 2)).toMatchObject({ before: 6, after: undefined })
  expect(stepsFrom([5, 6], 9, -1)).toEqual({ before: undefined, after: undefined, first: 5, last: 6 })
})
