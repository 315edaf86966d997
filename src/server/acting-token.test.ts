import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { actingToken, actingWith } from './acting-token.ts'

test('work knows its token before and after tokens were in use, also within other work', async () => {
  expect(actingWith(null, actingToken)).toBeNull()
  const later = actingWith('till', async () => {
    await nextTurn()
    return [actingToken(), actingWith(null, actingToken), actingToken()]
  })
  expect(actingToken()).toBeNull()
  expect(await later).toEqual(['till', null, 'till'])
  expect(actingWith(null, actingToken)).toBeNull()
})
