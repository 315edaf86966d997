import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openApi } from '../src/server/http/docs/openapi.ts'

// Lints the OpenAPI document with the rules of redocly.yaml; run by tsx, which reads the contract as it stands.

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'turnout-openapi-'))
const file = join(folder, 'openapi.json')
try {
  writeFileSync(file, JSON.stringify(openApi('https://turnout.example'), null, 2))
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@redocly/cli/bin/cli.js'), 'lint', file, '--config', join(root, 'redocly.yaml')],
    // No reports to the maker of the linter, and no look for newer versions of it.
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  )
  // Without faults, all that it says is that Node 20 is old.
  if (status !== 0) process.stderr.write(Buffer.concat([stdout, stderr]))
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
