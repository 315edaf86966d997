import { afterAll, beforeAll } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { makeFixture } from './make.ts'
import { startApp, type TestApp } from './start-app.ts'

// Live bindings: the file's `beforeAll` sets them.
export let app: TestApp
export let fixture: Awaited<ReturnType<typeof makeFixture>>

/** Starts an app with an event that the tests of a file share. */
export function setUpUntyped(): void {
  beforeAll(async () => {
    app = await startApp()
    fixture = await makeFixture(app)
  })
  afterAll(() => app.stop())
}

export type Call = Pick<Endpoint, 'method' | 'path'>

/** Sends a request as a client without our types would, and returns the answer with its status. */
export async function send(call: Call, input: unknown, token = fixture.token) {
  const response = await app.raw(call, input, token === '' ? {} : { authorization: token })
  return { status: response.status, ...(await response.json()) }
}
