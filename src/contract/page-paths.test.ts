import { expect, test } from 'vitest'
import { pageAt } from './page-paths.ts'

test('an address is told to be a page with its parameters, or none', () => {
  expect(pageAt('/')).toEqual({ path: '/', params: {} })
  expect(pageAt('/club/7/event/12/')).toEqual({
    path: '/club/:clubId/event/:eventId',
    params: { clubId: '7', eventId: '12' },
  })
  expect(pageAt('/club/edit')?.path).toBe('/club/edit/:clubId?')
  expect(pageAt('/SignIn')?.path).toBe('/signin')
  expect(pageAt('/not-found/403/No%20entry')?.params).toEqual({ status: '403', message: 'No%20entry' })
  for (const address of ['/asdf', '/club/x/event', '/club/0/event', '/club/1', '/event/x', '/qr/1', '//', '/signin/x'])
    expect(pageAt(address), address).toBeNull()
})
