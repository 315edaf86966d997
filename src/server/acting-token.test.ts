import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
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

test('calls without a token do not enter the storage', () => {
  const run = vi.spyOn(AsyncLocalStorage.prototype, 'run')
  actingWith(null, actingToken)
  expect(run).not.toHaveBeenCalled()
  actingWith('till', actingToken)
  expect(run).toHaveBeenCalledOnce()
  run.mockRestore()
})
