import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFixture, PASSWORD } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const folder = join(root, 'test/client')

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('a client generated from the OpenAPI document does the main job', { timeout: 120_000 }, async () => {
  const { admin, club } = await makeFixture(app)
  const types = astToString(await openapiTS(await (await fetch(`${app.url}/api/openapi.json`)).json()))
  mkdirSync(join(folder, 'generated'), { recursive: true })
  writeFileSync(join(folder, 'generated/openapi.ts'), types)

  // Its output is in the message of the failure.
  await run(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', folder]).catch(
    ({ stdout }: { stdout: string }) => expect(stdout).toBe(''),
  )
  const program = [join(folder, 'main-job.ts'), app.url, admin.email, PASSWORD]
  const { stdout } = await run(process.execPath, ['--import', 'tsx', ...program], { cwd: root })
  expect(JSON.parse(stdout)).toEqual({
    club: club.name,
    event: 'Harbour run',
    isIn: true,
    secondScan: 'ALREADY_CHECKED_IN',
    attendees: [{ name: 'Ada Runner', isIn: true }],
  })
})
