import { afterAll, beforeAll } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { makeFixture } from './make.ts'
import { startApp, type TestApp } from './start-app.ts'

// Live bindings: the file's `beforeAll` sets them.
export let app: TestApp
export let fixture: Awaited<ReturnType<typeof makeFixture>>

/** Starts an app with an event for the tests of a file, which share it. */
export function setUpUntyped(): void {
  beforeAll(async () => {
    app = await startApp()
    fixture = await makeFixture(app)
  })
  afterAll(() => app.stop())
}

export type Call = Pick<Endpoint, 'method' | 'path'>

/** Sends what a client without our types would, and answers what came. */
export async function send(call: Call, input: unknown, token = fixture.token) {
  const response = await app.raw(call, input, token === '' ? {} : { authorization: token })
  return { status: response.status, ...(await response.json()) }
}
